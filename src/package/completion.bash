# Completion of ensign for bash. The program prints the words that can follow.
_ensign() {
  local current=${COMP_WORDS[COMP_CWORD]} line word
  [[ $current != = ]] || current= # bash takes --option=value for three words
  COMPREPLY=()
  while IFS= read -r line; do
    word=${line%%$'\t'*}
    case $word in
      :files) compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current") ;;
      :folders) compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$current") ;;
      -*) [[ $current != -* || $word != "$current"* ]] || COMPREPLY+=("$word") ;;
      *) [[ $word != "$current"* ]] || COMPREPLY+=("$word") ;;
    esac
  done < <("${COMP_WORDS[0]}" help --complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
complete -F _ensign ensign
