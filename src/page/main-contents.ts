import { showContents } from './contents-page.ts';
import { showEmbedded } from './embedded.ts';

showEmbedded(showContents);
