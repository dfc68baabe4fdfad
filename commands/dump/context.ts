import type { Schema } from '../../src/protocol/schema.ts';
import type { TickRange } from '../../src/protocol/ticks.ts';
import type { DemoRange } from '../../src/recording/demo-range.ts';
import type { FilterOptions, ItemFilter } from '../lib/filter.ts';
import type { FolderOptions } from '../lib/input/folders.ts';
import type { Io } from '../lib/io.ts';
import type { FollowOptions, InputOptions, OutputOptions } from '../lib/options.ts';
import type { Stream } from '../lib/output/stream.ts';
import type { ManyOptions } from '../lib/parallel/many-files.ts';

export type DumpOptions = InputOptions &
  OutputOptions &
  FilterOptions &
  ManyOptions &
  FolderOptions &
  FollowOptions & { changes?: boolean; ticks?: TickRange; messages: boolean };

/** The settings of a dump. */
export interface DumpContext {
  readonly options: DumpOptions;
  readonly schema: Schema;
  readonly selected: ItemFilter;
  readonly stream: Stream;
  /** Whether there are several files, so that each record contains the file name. */
  readonly isOfSeveral: boolean;
  /** The part of a recording that is dumped; undefined for a whole file. */
  readonly part?: DemoRange | undefined;
  readonly io: Io;
}
