import type { NamedItem, Suspect } from '../../explain/checksum-results.ts';
import { count } from '../text/number.ts';
import { causeNames } from './causes.ts';

const maxNamed = 3;

/** `obj_character 3` */
export const nameText = ({ type, id, name }: NamedItem): string => `${name ?? `type ${type}`} ${id}`;

/** A possible cause of a failed checksum in one line. */
export function suspectText(suspect: Suspect): string {
  const { cause, about, items, field, numbers = {} } = suspect;
  const more = items.length > maxNamed ? `, and ${count(items.length - maxNamed, 'more item')}` : '';
  const item = items.slice(0, maxNamed).map(nameText).join(', ') + more;
  const [were, have] = items.length > 1 ? ['were', 'have'] : ['was', 'has'];
  switch (cause) {
    case 'duplicate_key':
      if (about === 'delta') return `the key ${item} occurs twice in the delta`;
      return `${item} ${items.length > 1 ? 'occur' : 'occurs'} twice: the checksums agree with both`;
    case 'removed_unchanged':
      return `${item} ${were} removed: the checksums agree with ${items.length > 1 ? 'them' : 'it'}`;
    case 'sent_in_full':
      return `${item} ${were} sent in full: the checksums agree without what the base ${have}`;
    case 'not_removed':
      return `${item} stayed: the checksums agree without it`;
    case 'update_not_counted':
      return `${updateText(suspect, item)}: the checksums agree ${numbers.times === 2 ? 'with that twice' : 'without that'}`;
    case 'other_size':
      return `${item} came with ${count(numbers.found ?? 0, 'int')}; it has ${numbers.expected}`;
    case 'unregistered':
      return `type ${items[0]?.type} is not registered`;
    case 'damaged':
      return `${field} of ${item} became ${numbers.value}, which no game sends`;
    default:
      return `${item}: ${causeNames[cause]}`;
  }
}

function updateText({ field, numbers = {} }: Suspect, item: string): string {
  const { step = 0 } = numbers;
  if (field === undefined) return numbers.new ? `${item} is new` : `${item} was updated`;
  if (numbers.new) return `${field}=${step} of ${item}, which is new`;
  return `${field} of ${item} changed by ${step > 0 ? '+' : ''}${step}`;
}
