import type { CompletedOption, Tree, Values } from './tree.ts';

/** A script for zsh, either sourced after compinit or installed as `_tw-snap` in fpath. */
export function zshScript({ options, commands }: Tree): string {
  const described = commands.map(({ name, about }) => quoted(`${name}:${about}`));
  const cases = commands.map(({ name, options, values }) => {
    const specs = [...options.flatMap(specsOf), quoted(`*:${wordFor(values)}:${actionOf(values)}`)];
    return `    ${name})\n      _arguments -s ${specs.join(' \\\n        ')}\n      ;;`;
  });
  return `#compdef tw-snap
# Completion of tw-snap for zsh: source <(tw-snap completion zsh), after compinit
_tw_snap() {
  local curcontext=$curcontext state
  local -a commands line
  typeset -A opt_args
  commands=(
    ${described.join('\n    ')}
  )
  _arguments -C ${options.flatMap(specsOf).join(' ')} '1:command:->command' '*::argument:->argument'
  case $state in
  command) _describe command commands ;;
  argument)
    curcontext=\${curcontext%:*:*}:tw-snap-$line[1]:
    case $line[1] in
${cases.join('\n')}
    esac
    ;;
  esac
}
if [[ $funcstack[1] == _tw_snap ]]; then _tw_snap "$@"
else compdef _tw_snap tw-snap
fi
`;
}

/** `'(-t --to)-t+[what to print]:value:(json csv)'` for each flag. */
function specsOf({ flags, about, values }: CompletedOption): string[] {
  const others = flags.length > 1 ? `(${flags.join(' ')})` : '';
  const explained = `[${about.replace(/[[\]\\:]/g, '\\$&')}]`;
  return flags.map((flag) => {
    if (!values) return quoted(`${others}${flag}${explained}`);
    const separator = flag.startsWith('--') ? '=' : '+';
    return quoted(`${others}${flag}${separator}${explained}:${wordFor(values)}:${actionOf(values)}`);
  });
}

const wordFor = (values: Values) => (values.kind === 'files' ? 'file' : 'value');

function actionOf(values: Values): string {
  if (values.kind === 'files') return '_files';
  if (!('words' in values)) return ' ';
  return values.kind === 'list' ? `_values -s , value ${values.words.join(' ')}` : `(${values.words.join(' ')})`;
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
