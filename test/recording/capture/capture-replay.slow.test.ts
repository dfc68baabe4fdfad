import { describeCaptures } from '../../support/capture-replays.ts';
import { smallCaptures } from '../../support/corpus.ts';

describeCaptures((name) => !smallCaptures.test(name));
