# Completion of ensign for fish. The program prints the words that can follow.
function __ensign_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] help --complete -- $words[2..] 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path $current
            case ':folders'
                __fish_complete_directories $current
            case '-*'
                string match -q -- '-*' $current; and echo $line
            case '*'
                echo $line
        end
    end
end
complete -c ensign -f -a '(__ensign_words)'
