import { App } from './app.ts';

new App().start();
