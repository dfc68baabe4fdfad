import { showEmbedded } from './views/embedded.ts';
import { showRecording } from './views/recording-page.ts';

showEmbedded(showRecording);
