import { readWholeMessage, readWholePacket } from '../packet/packet-contents.ts';
import { protocolOf } from '../protocol/registry.ts';
import type { Cargo } from '../report/report-data.ts';
import { h } from './dom.ts';
import { embeddedCargo } from './embedded.ts';
import { footer } from './footer.ts';
import { heading } from './heading.ts';
import { inspectWire } from './inspect-packet.ts';
import { Inspector } from './inspector.ts';
import { Page } from './page.ts';

embeddedCargo()
  .then((cargo) => (cargo.wire ? openWire(cargo, cargo.wire) : new Page(cargo).open()))
  .catch((error: unknown) => {
    document.body.append(h('p', { class: 'failure', role: 'alert' }, `This page can't be shown: ${String(error)}`));
    throw error;
  });

/** A packet or message has no ticks, and no places. */
function openWire(cargo: Cargo, { kind, version, bytes }: NonNullable<Cargo['wire']>): void {
  const inspector = new Inspector(() => {});
  const read = kind === 'packet' ? readWholePacket : readWholeMessage;
  document.body.append(heading(cargo), h('main', {}, inspector.element), footer(false));
  inspector.showWire(inspectWire(read(bytes, protocolOf(version, cargo.added))));
  document.documentElement.dataset.state = 'complete';
}
