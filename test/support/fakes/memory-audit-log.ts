import { createHash } from 'node:crypto';
import type { AuditLog, RecordedAct } from '../../../src/engine/audit/store/audit-log-port.ts';
import { decodeDetails, encodeDetails } from '../../../src/platform/db/json/act-json.ts';
import type { MemoryAccess } from './memory-state.ts';

export function memoryAuditLog({ read, write }: MemoryAccess): AuditLog {
  return {
    record: (entry) =>
      write((view) => {
        const { at, actor, act, subject, outcome } = entry;
        const stored: unknown = JSON.parse(encodeDetails(act, entry.details));
        const rows = view.acts.rows();
        const id = BigInt(rows.length + 1);
        const prev = rows.find((row) => row.id === id - 1n)?.hash ?? '0'.repeat(64);
        const text = JSON.stringify([
          Number(id),
          new Date(at).toISOString(),
          actor,
          act,
          subject,
          outcome,
          stored,
          prev,
        ]);
        const hash = createHash('sha256').update(text).digest('hex');
        const details = decodeDetails(act, String(id), stored);
        const row = { id, at, actor, act, subject, outcome, details } as RecordedAct;
        view.acts.set(String(id), { ...row, text, prev, hash });
      }),
    list: ({ subject, act, since }, { limit, offset }) =>
      read((view) =>
        view.acts
          .rows()
          .filter(
            (row) =>
              (subject === undefined || row.subject === subject) &&
              (act === undefined || row.act === act) &&
              row.at >= (since ?? 0),
          )
          .toSorted((a, b) => Number(b.id - a.id))
          .slice(offset, offset + limit)
          .map(({ text: _text, prev: _prev, hash: _hash, ...row }) => row),
      ),
    links: (after, limit) =>
      read((view) =>
        view.acts
          .rows()
          .filter(({ id }) => id > after)
          .toSorted((a, b) => Number(a.id - b.id))
          .slice(0, limit)
          .map(({ id, at, text, prev, hash }) => ({ id, at, text, prev, hash })),
      ),
  };
}
