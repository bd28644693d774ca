import type { IntentParams } from '../../src/engine/intents/kinds/params.ts';
import { PARAMS } from '../../src/platform/db/json/intent-json.ts';

/** The params as a row would give them back. */
export function throughRow(params: IntentParams): IntentParams {
  return PARAMS.decode('a row', JSON.parse(PARAMS.encode('a row', params)));
}
