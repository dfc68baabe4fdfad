import type { DemoFaults } from '../../explain/recording-explainer.ts';
import { renderLosses } from '../edit/losses.ts';
import type { ViewStyle } from '../text/theme.ts';
import { demoTexts } from './demo-text.ts';
import { Rows } from './rows.ts';

/** The faults of a demo, one part for each kind. */
export function demoParts(faults: DemoFaults, again: string | undefined, style: ViewStyle): string[][] {
  return demoTexts(faults).map(({ title, meaning, whereToLook, areLosses }) => {
    const rows = new Rows(style);
    rows.put('meaning', meaning);
    rows.put('look for', whereToLook);
    if (again) rows.putWhole('repair', `tw-snap repair ${again} -o whole.demo`);
    const losses = areLosses ? renderLosses(faults.losses, style.theme).map((line) => `  ${line}`) : [];
    return [`${style.theme.error('✗')} ${title}`, ...losses, ...rows.lines];
  });
}
