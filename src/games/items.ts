import type { Subject } from './check.ts';

export const items: Subject = {
  about: 'item',
  title: 'Items',
  source: 'CNetObjHandler::SecureUnpackObj, which datasrc/compile.py writes',
  checks: [],
};
