import { showEmbedded } from './embedded.ts';
import { showReport } from './page.ts';

showEmbedded((reportData) => showReport(reportData));
