import type { Hypothesis } from '../hypothesis.ts';
import { damaged } from './damaged.ts';
import { duplicateKey } from './duplicate-key.ts';
import { mixedParts } from './mixed-parts.ts';
import { notRemoved } from './not-removed.ts';
import { otherSize } from './other-size.ts';
import { removedUnchanged } from './removed-unchanged.ts';
import { sentInFull } from './sent-in-full.ts';
import { stalePart } from './stale-part.ts';
import { tooLarge } from './too-large.ts';
import { wrongBase } from './wrong-base.ts';

/** All hypotheses, those without a search first. */
export const hypotheses: readonly Hypothesis[] = [
  duplicateKey,
  removedUnchanged,
  sentInFull,
  tooLarge,
  notRemoved,
  wrongBase,
  mixedParts,
  stalePart,
  otherSize,
  damaged,
];
