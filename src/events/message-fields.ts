import type { Message } from '../packet/message.ts';

/** The values of a message by name, in the order of the message. */
export class MessageFields {
  readonly numbers = new Map<string, number>();
  readonly texts = new Map<string, string>();

  constructor({ values }: Message) {
    for (const { name, value } of values) {
      if (typeof value === 'number') this.numbers.set(name, value);
      else if (typeof value === 'string') this.texts.set(name, value);
    }
  }

  /** The value of a field; 0 if the message ends before it. */
  int(name: string): number {
    return this.numbers.get(name) ?? 0;
  }

  text(name: string): string {
    return this.texts.get(name) ?? '';
  }
}
