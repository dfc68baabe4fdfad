import { describe, expect, it } from 'vitest';
import { annotationLines, type FileCheck, jobSummary, renderJunit } from '../../../src/output/reports/ci.ts';
import { type FindingSeverity, finding } from '../../../src/recording/health/findings.ts';

const text = (severity: FindingSeverity, said: string) => finding('explained', severity, { args: { text: said } });
const fine: FileCheck = { file: 'a.pcap', summary: '4 snapshots: 4 match', findings: [text('warning', 'a warning')] };
const wrong: FileCheck = {
  file: 'b.pcap',
  summary: '2 snapshots: 1 match',
  findings: [text('wrong', 'tick 5'), text('wrong', 'tick 7')],
};
const broken: FileCheck = { file: 'c.demo', summary: 'cut', findings: [finding('errors', 'unread')] };

describe('renderJunit', () => {
  it('writes only characters that XML allows', () => {
    const file = '<&">\u0000\u001b[31m\ud800\uffff ü 🙂';
    expect(renderJunit('info', [{ ...fine, file }])).toContain(
      'name="&lt;&amp;&quot;&gt;\\u{0}\\u{1b}[31m\\u{d800}\\u{ffff} ü 🙂"',
    );
  });
});

describe('annotationLines', () => {
  it('has an error for each file that failed, with its first finding', () => {
    expect(annotationLines('checksum', [fine, wrong, broken])).toEqual([
      '::error file=b.pcap,title=tw-snap checksum::b.pcap: tick 5 (and 1 more)',
      '::error file=c.demo,title=tw-snap checksum::c.demo: cut',
    ]);
  });

  it('escapes what ends a property or a line', () => {
    const awkward = { ...broken, file: 'a:b,c%\n.demo' };
    expect(annotationLines('info', [awkward])).toEqual([
      '::error file=a%3Ab%2Cc%25\\n.demo,title=tw-snap info::a:b,c%25\\n.demo: cut',
    ]);
  });

  it('has at most ten lines; the last counts the files left out', () => {
    const many = Array.from({ length: 25 }, (_, i) => ({ ...broken, file: `${i}.demo` }));
    const lines = annotationLines('info', many);
    expect(lines).toHaveLength(10);
    expect(lines[9]).toBe('::error title=tw-snap info::16 more files failed: see the summary of this job');
    expect(annotationLines('info', many.slice(0, 10)).at(-1)).toContain('9.demo');
  });
});

describe('jobSummary', () => {
  it('lists failed files first, and their findings below', () => {
    const text = jobSummary('checksum', [fine, wrong]);
    expect(text).toContain('### tw-snap checksum: 1 of 2 files failed\n');
    expect(text.indexOf('b.pcap')).toBeLessThan(text.indexOf('a.pcap'));
    expect(text).toContain('\n- tick 5\n- tick 7\n');
    expect(text).not.toContain('a warning');
  });

  it('says what was looked at and what comes next, to who has not heard of the program', () => {
    const text = jobSummary('checksum', [wrong]);
    expect(text).toContain('\nEvery snapshot in these recordings is rebuilt, and its checksum compared');
    expect(text).toContain('\n`npx tw-snap explain FILE` looks for the cause');
    expect(jobSummary('checksum', [fine])).not.toContain('explain');
  });

  it('lists five findings of a file, and counts the others', () => {
    const findings = Array.from({ length: 8 }, (_, i) => text('wrong', `tick ${i}`));
    expect(jobSummary('checksum', [{ ...wrong, findings }])).toContain('\n- tick 4\n- 3 more\n');
    const many = Array.from({ length: 30 }, (_, i) => text('wrong', `tick ${i}`));
    expect(jobSummary('checksum', [{ ...wrong, findings: many }])).toContain('\n- tick 4\n- at least 15 more\n');
  });

  it('escapes Markdown and HTML in names and texts', () => {
    const text = jobSummary('info', [{ ...broken, file: '<b>|x|', summary: '[a](b) `c`' }]);
    expect(text).toContain('| `<b>\\|x\\|` | ❌ unreadable | `[a](b)` `` `c` `` |');
  });
});
