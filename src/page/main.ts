import { showReport } from './page.ts';
import { showEmbedded } from './views/embedded.ts';

showEmbedded((reportData) => showReport(reportData));
