# Completion of sr-runtime for fish. The program itself is asked what may follow.

function __sr_runtime_complete
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    for line in (command sr-runtime __complete -- $words "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':folders'
                __fish_complete_directories "$current"
            case '*'
                printf '%s\n' $line
        end
    end
end

complete -c sr-runtime -f -a '(__sr_runtime_complete)'
