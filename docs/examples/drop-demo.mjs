// The program of drop-demo.html: the map, players, scores and chat of a demo that is dropped on the page, also if it is compressed.
import { columns, read } from 'tw-snap';
import { eventsOf, summaryOf } from 'tw-snap/match';

const element = (id) => document.getElementById(id);
const add = (id, tag, text) => element(id).appendChild(document.createElement(tag)).append(text);
const drop = async (file) => {
  for (const id of ['title', 'players', 'events']) element(id).replaceChildren();
  element('title').append((await summaryOf(file)).map.name);
  const names = new Map();
  for await (const { events } of eventsOf(file)) {
    for (const { what, player, playing = [], text } of events) {
      for (const one of player ? [player] : playing) names.set(one.client, one.name);
      if (what === 'chat') add('events', 'li', `${player?.name ?? 'server'}: ${text}`);
    }
  }
  const { id, score } = await columns(read(file), 'obj_player_info', ['id', 'score']);
  for (const [client, points] of new Map(Array.from(id, (one, i) => [one, score[i]])))
    add('players', 'tr', `${names.get(client) ?? client}: ${points}`);
};
element('drop').addEventListener('dragover', (event) => event.preventDefault());
element('drop').addEventListener('drop', (event) => {
  event.preventDefault();
  drop(event.dataTransfer.files[0]).catch(({ message }) => element('title').append(message));
});
