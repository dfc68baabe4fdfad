import { h } from './dom.ts';
import { embeddedReportData } from './embedded.ts';
import { showReport } from './show-report.ts';

embeddedReportData()
  .then((reportData) => showReport(reportData))
  .catch((error: unknown) => {
    document.body.append(h('p', { class: 'failure', role: 'alert' }, `This page cannot be shown: ${String(error)}`));
    throw error;
  });
