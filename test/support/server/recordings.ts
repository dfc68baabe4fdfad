/**
 * The recordings of the corpus that the faulty server plays, by version. A seed names a fault only together with these
 * lists.
 */
export const playedRecordings = {
  '0.6': [
    '06-ddnet-dm1-34players-client-BENCH.demo',
    '06-ddnet-race-client-auto.demo',
    '06-ddnet-tutorial-playerdemo-unfinished.demo',
    'ddnet20/06-ddnet20-128players-client-BENCH.demo',
    'ddnet20/06-ddnet20-coverage-finishes-client.demo',
    'ddnet20/06-ddnet20-goldmine-client.demo',
    'ddnet20/06-ddnet20-sixup-server-client.demo',
  ],
  '0.7': [
    '07-on-ddnet-sixup-manyplayers-client.demo',
    '07-vanilla-dm1-57clients-server-BENCH.demo',
    '07-vanilla-dm1-auto-markers-client.demo',
    '07-vanilla-dm1-client.demo',
    'ddnet20/07-ddnet20-coverage-client.demo',
    'ddnet20/07-ddnet20-loss-client.demo',
  ],
} as const;
