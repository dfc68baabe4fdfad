import type { Topic } from '../report/event-lines.ts';

export const topicTitles: Readonly<Record<Topic, string>> = { chat: 'chat', deaths: 'kills', others: 'others' };

/** The custom property of the style sheet that has the colour of a topic. */
export const topicColors: Readonly<Record<Topic, string>> = { chat: '--text', deaths: '--error', others: '--state' };
