/** The kind of a column's values. Texts are strings; a time in seconds is a `double`; `ints` is a list. */
export type ColumnKind = 'int' | 'double' | 'boolean' | 'text' | 'ints';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Whether rows may have no value. */
  readonly isNullable: boolean;
  /** The meaning of the values with their unit: `position, 32 units are a tile`. */
  readonly meaning?: string;
}

export type CellValue = number | string | boolean | ArrayLike<number> | undefined;

/** A table of the exported dataset. Columns never change their meaning, so that files of any version can be read together. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly Column[];
}

export const column = (name: string, kind: ColumnKind, meaning?: string): Column => ({
  name,
  kind,
  isNullable: false,
  ...(meaning === undefined ? {} : { meaning }),
});

/** A column in which rows may have no value. */
export const optional = (name: string, kind: ColumnKind, meaning?: string): Column => ({
  ...column(name, kind, meaning),
  isNullable: true,
});
