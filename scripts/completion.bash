# Completion of poetbnb for bash: commands, options, and values, as the program's help lists them.
_poetbnb()
{
    local cur=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD-1]} words= files=0 list= help argument
    COMPREPLY=()
    # bash splits --option=value into three words
    [[ $cur == = ]] && cur=
    [[ $option == = ]] && option=${COMP_WORDS[COMP_CWORD-2]}
    if ((COMP_CWORD == 1)); then
        words="$(poetbnb --help | sed -n 's/^  \([a-z]*\)  .*/\1/p') --help --version"
    else
        help=$(ARGP_HELP_FMT=rmargin=9999 poetbnb "${COMP_WORDS[1]}" --help 2> /dev/null)
        argument=$(grep -oE -- "^ .*$option=[^ ,]*" <<< "$help" | head -n 1)
        if [[ $option == --* && $argument ]]; then
            argument=${argument##*"$option"=}
            [[ $argument == *FILE* || $argument == *FOLDER* ]] && files=1
            case $option in
            --model) words=$(poetbnb info | sed -n '/^Comp/q; /^| network /d; s/^| \([a-z0-9_]*\) .*/\1/p') ;;
            --platform) words=$(poetbnb info | sed -n '/^Platforms/,$s/^\([a-z][a-z0-9]*\)$/\1/p') ;;
            --with | --without) words="all $(poetbnb info --features | sed -n '1,/^$/d; /^$/q; /^| name/d; s/^| \([a-z-]*\) .*/\1/p')" ;;
            --methods | --warm-start)
                words="poetbnb auto none $(poetbnb info --methods | sed -n '/^Sources/q; /^| method /d; s/^| \([a-z0-9_]*\) .*/\1/p')"
                ;;
            *) [[ $argument == *'|'* && $argument != *[A-Z]* ]] && words=${argument//|/ } ;;
            esac
        elif [[ $cur == -* ]]; then
            words=$(sed -nE 's/^ +(-., )?(--[^ ,]+)(, (--[^ ]+))?.*/\2 \4/; T; s/=[^ ]*/=/g; p' <<< "$help")
        else
            head -n 1 <<< "$help" | grep -q '\.\.\.\] ' && files=1
        fi
    fi
    # of a list only the last word is completed
    [[ $cur == *,* ]] && list=${cur%,*},
    mapfile -t COMPREPLY < <(compgen -P "$list" -W "$words" -- "${cur##*,}")
    ((files)) && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$cur")
    ((files)) && compopt -o filenames 2> /dev/null
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
    return 0
}
complete -F _poetbnb poetbnb
