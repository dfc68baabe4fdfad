import type { Budget, BudgetCheck, Growth } from '../../analysis/stats/budget.ts';
import { type Finding, finding } from '../../recording/health/findings.ts';
import type { StatsReport } from '../results/stats.ts';
import { type Column, tableLines } from '../text/columns.ts';
import { escapeText, pathText } from '../text/escape.ts';
import { decimals } from '../text/number.ts';
import type { ViewStyle } from '../text/theme.ts';
import type { FileCheck } from './ci.ts';
import { headline } from './stats.ts';

/** What a number of the budget is called; an item by its name, a field with its item. */
function labelOf({ what, name, field }: Growth): string {
  if (what === 'field') return `${name}.${field}`;
  return what === 'item' ? name : (labels[name] ?? name.replaceAll('_', ' '));
}

const labels: Readonly<Record<string, string>> = {
  bytes_per_second: 'the recording',
  bytes_per_snapshot: 'a snapshot',
  items: 'the fullest snapshot',
  bytes: 'the largest snapshot',
  delta_bytes: 'the largest delta',
  parts: 'the largest delta',
};

/** The unit of most rows, which their column has as its head. */
const perSnapshot = 'bytes per snapshot';

/**
 * ```
 * after.demo   over the budget of budget.json
 *
 *   bytes per snapshot      budget   allowed    now   growth
 *   obj_laser.owner           0.00      0.10   0.91      new
 * ```
 */
export function renderBudget(report: StatsReport, style: ViewStyle): string {
  const { theme, width } = style;
  const { file, budget, now, grown } = report.check!;
  const { percent, bytes } = budget.tolerance;
  const name = pathText(file);
  const verdict = grown.length > 0 ? theme.error(`over the budget of ${name}`) : `within the budget of ${name}`;
  const title = `${theme.strong(pathText(report.file))}   ${verdict}   ${theme.dim(headline(report))}`;
  const tolerance = theme.dim(`  tolerance ${percent}% and ${decimals(bytes, 2)} bytes`);
  if (grown.length === 0) return `${[title, '', ...wholeLines(budget, now, style), tolerance].join('\n')}\n`;
  const columns: readonly Column<Growth>[] = [
    { head: perSnapshot, align: 'left', cell: (growth) => escapeText(labelOf(growth)) },
    { head: 'budget', cell: (growth) => theme.dim(valueText(growth, growth.budget)) },
    { head: 'allowed', cell: (growth) => theme.dim(valueText(growth, growth.allowed)) },
    { head: 'now', cell: (growth) => valueText(growth, growth.now) },
    { head: '', cell: (growth) => theme.removed(growthText(growth)) },
    { head: '', align: 'left', cell: ({ unit }) => (unit === perSnapshot ? '' : theme.dim(unit)) },
  ];
  return `${[title, '', ...tableLines(columns, grown, theme, { limit: width }), '', tolerance].join('\n')}\n`;
}

/** What the whole takes, of what it may take. */
function wholeLines(
  { bytes_per_second: second, bytes_per_snapshot: snapshot }: Budget,
  now: Budget,
  { theme, width }: ViewStyle,
) {
  const rows = [
    { head: 'bytes/s', budget: second, now: now.bytes_per_second },
    { head: 'bytes per snapshot', budget: snapshot, now: now.bytes_per_snapshot },
  ].filter((row) => row.budget !== undefined && row.now !== undefined);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { head: '', align: 'left', cell: ({ head }) => head },
    { head: 'budget', cell: ({ budget }) => theme.dim(decimals(budget!, 2)) },
    { head: 'now', cell: (row) => decimals(row.now!, 2) },
  ];
  return rows.length === 0 ? [] : [...tableLines(columns, rows, theme, { limit: width }), ''];
}

const valueText = ({ what }: Growth, value: number) => decimals(value, what === 'largest' ? 0 : 2);

const growthText = ({ budget, now }: Growth) =>
  budget === 0 ? 'new' : `+${decimals((100 * (now - budget)) / budget, 1)}%`;

/** What grew, for the report of a CI server. */
export function budgetCheck(report: StatsReport, others: readonly Finding[], isStrict: boolean): FileCheck {
  const { grown, file } = report.check as BudgetCheck;
  const grew = grown.map((growth) => {
    const { unit, budget, now } = growth;
    return finding('over_budget', 'wrong', { args: { name: labelOf(growth), unit, budget, now } });
  });
  const summary = grown.length > 0 ? `over the budget of ${file}` : `within the budget of ${file}`;
  return { file: report.file, summary, findings: [...grew, ...others], isStrict };
}
