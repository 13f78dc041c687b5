#compdef sr-runtime
# Completion of sr-runtime for zsh. The program itself is asked what may follow.

_sr_runtime() {
    local line word kind
    local -a names shown
    for line in "${(@f)$(command sr-runtime __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
        case $line in
            '') ;;
            :files | :folders) kind=$line ;;
            *)
                word=${line%%$'\t'*}
                names+=("$word")
                shown+=("${(r:20:)word}  ${line#*$'\t'}")
                ;;
        esac
    done
    (( $#names )) && compadd -l -d shown -a names
    case $kind in
        :files) _files ;;
        :folders) _files -/ ;;
    esac
}

# Found in fpath this file is the function; otherwise it was read as a script.
if [[ $funcstack[1] == _sr-runtime ]]; then
    _sr_runtime "$@"
else
    compdef _sr_runtime sr-runtime
fi
