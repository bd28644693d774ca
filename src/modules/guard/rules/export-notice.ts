import { jsonReader } from '../../../engine/intents/rules/json-reader.ts';

/** `asked`, `half` of the wait, and `ready` carry a Stop button; `taken` does not. `disowned`: the signer stopped it. */
export const EXPORT_EVENTS = ['asked', 'half', 'ready', 'taken', 'stopped', 'disowned'] as const;
export type ExportEvent = (typeof EXPORT_EVENTS)[number];

/** Payload of an `export` notice. */
export type ExportNotice = { readonly exportId: string; readonly event: ExportEvent };

export const encodeExportNotice = ({ exportId, event }: ExportNotice): unknown => ({ exportId, event });

export function decodeExportNotice(payload: unknown): ExportNotice {
  const read = jsonReader(payload, 'notice');
  return { exportId: read.text('exportId'), event: read.oneOf('event', EXPORT_EVENTS) };
}
