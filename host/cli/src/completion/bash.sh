# Completion of sr-runtime for bash. The program itself is asked what may follow.

_sr_runtime() {
    local current word line choice prefix kind glue i last
    local -a words
    COMPREPLY=()
    words=()
    kind=
    glue=
    last=-1
    # bash cuts words at = and : as well; here they are one again.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word =~ ^[=:]+$ && $last -ge 0 ]]; then
            words[last]+=$word
            glue=1
        elif [[ -n $glue ]]; then
            words[last]+=$word
            glue=
        else
            last=$((last + 1))
            words[last]=$word
        fi
    done
    current=${COMP_WORDS[COMP_CWORD]}
    # What of the word stands before the part that is replaced.
    if [[ $current =~ ^[=:]+$ ]]; then
        prefix=${words[last]}
        current=
    else
        prefix=${words[last]%"$current"}
    fi
    while IFS= read -r line; do
        case $line in
            :files) kind=-f ;;
            :folders) kind=-d ;;
            *)
                choice=${line%%$'\t'*}
                COMPREPLY+=("${choice#"$prefix"}")
                ;;
        esac
    done < <(command sr-runtime __complete -- "${words[@]}" 2>/dev/null)
    if [[ -n $kind ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do
            COMPREPLY+=("$line")
        done < <(compgen "$kind" -- "$current")
    fi
}

complete -F _sr_runtime sr-runtime
