import { PARAMS } from '../../src/adapters/db/json/intent-json.ts';
import type { IntentParams } from '../../src/intents/params.ts';

/** The params as a row would give them back. */
export function throughRow(params: IntentParams): IntentParams {
  return PARAMS.decode('a row', JSON.parse(PARAMS.encode('a row', params)));
}
