import { rejectValue, textAt } from './schema-check.ts';
import { uuidOfName } from './uuid.ts';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The UUID of an item or message, and its name where it has one. */
export interface SchemaUuid {
  readonly uuid: string;
  readonly uuidName?: string;
}

/** Reads `uuid_name` or `uuid`, which must agree; undefined if there is neither. */
export function uuidAt(
  json: { readonly uuid?: unknown; readonly uuid_name?: unknown },
  path: string,
): SchemaUuid | undefined {
  const given = optional(json.uuid, `${path}.uuid`, uuidPattern, 'a UUID')?.toLowerCase();
  const uuidName = optional(json.uuid_name, `${path}.uuid_name`, /^[!-~]{1,128}$/, 'a name like my-item@mod.example');
  if (uuidName === undefined) return given === undefined ? undefined : { uuid: given };
  const uuid = uuidOfName(uuidName);
  if (given !== undefined && given !== uuid) rejectValue(`${path}.uuid`, given, `${uuid}, the UUID of its name`);
  return { uuid, uuidName };
}

function optional(value: unknown, path: string, pattern: RegExp, expected: string): string | undefined {
  return value === undefined ? undefined : textAt(value, path, pattern, expected);
}
