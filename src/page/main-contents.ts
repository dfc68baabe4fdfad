import { showContents } from './views/contents-page.ts';
import { showEmbedded } from './views/embedded.ts';

showEmbedded((reportData) => showContents(reportData));
