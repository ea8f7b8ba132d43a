#compdef ensign
# Completion of ensign for zsh. The program prints the words that can follow.
_ensign() {
  local line word
  local -a found before=("${(@)words[2,CURRENT-1]}")
  ! compset -P '--*=' || before+=("${IPREFIX%=}")
  for line in "${(@f)$($words[1] help --complete -- "${(@)before}" 2>/dev/null)}"; do
    word=${line%%$'\t'*}
    case $word in
      ('') ;;
      (:files) _files ;;
      (:folders) _files -/ ;;
      (-*) [[ $PREFIX != -* ]] || found+=("${line/$'\t'/:}") ;;
      (*) found+=("${line/$'\t'/:}") ;;
    esac
  done
  (( ! $#found )) || _describe 'ensign' found
}
_ensign "$@"
