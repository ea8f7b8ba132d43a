# Completion of ensign for fish. The program prints the words that can follow.
function __ensign_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l option (string match -r -- '^--[^=]+(?==)' $current)
    set -l begun ''
    if set -q option[1]
        set begun "$option="
        set current (string sub -s (math (string length -- $begun) + 1) -- $current)
    end
    for line in ($words[1] help --complete -- $words[2..] $option 2>/dev/null)
        switch $line
            case ':files'
                printf '%s\n' $begun(__fish_complete_path $current)
            case ':folders'
                printf '%s\n' $begun(__fish_complete_directories $current)
            case '-*'
                string match -q -- '-*' $current; and echo -- $line
            case '*'
                echo -- $begun$line
        end
    end
end
complete -c ensign -f -a '(__ensign_words)'
