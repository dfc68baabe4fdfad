import { showContents } from './contents-page.ts';
import { showEmbedded } from './page.ts';

void showEmbedded(showContents);
