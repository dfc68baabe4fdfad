import type { CompletedOption, Tree, Values } from './tree.ts';

/** A script for bash 3.2 and later. */
export function bashScript({ options, commands }: Tree): string {
  const values = commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(name, option)));
  const names = commands.map(({ name }) => name);
  return `# Completion of tw-snap for bash: source <(tw-snap completion bash)
_tw_snap() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} command= kind=words words= options= word
  # --to=json comes as three words.
  if [[ $cur == '=' ]]; then cur=
  elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  case "$command $prev" in
${values.join('\n')}
  *)
    case $command in
    '') words='${names.join(' ')}' options='${flagsOf(options)}' ;;
${commands.map(({ name, options, values }) => `    ${name}) ${shown(values)} options='${flagsOf(options)}' ;;`).join('\n')}
    *) kind=none ;;
    esac
    if [[ $cur == -* ]]; then kind=words words=$options; fi
    ;;
  esac
  COMPREPLY=()
  case $kind in
  files) return ;;
  words) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  list)
    local before=
    if [[ $cur == *,* ]]; then before=\${cur%,*},; fi
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "\${cur##*,}"))
    ;;
  esac
  # Where nothing fits, files don't either.
  compopt +o default 2>/dev/null
}
complete -o default -F _tw_snap tw-snap
`;
}

const flagsOf = (options: readonly CompletedOption[]) => options.flatMap(({ flags }) => flags).join(' ');

function valueCase(command: string, { flags, values }: CompletedOption): string[] {
  if (!values) return [];
  return [`  ${flags.map((flag) => `'${command} ${flag}'`).join(' | ')}) ${shown(values)} ;;`];
}

function shown(values: Values): string {
  if (!('words' in values)) return `kind=${values.kind}`;
  return `kind=${values.kind === 'list' ? 'list' : 'words'} words='${values.words.join(' ')}'`;
}
