import { showEmbedded } from './page.ts';
import { showRecording } from './recording-page.ts';

void showEmbedded(showRecording);
