import type { Address } from '@tradepost/solana';
import { emptyPosition } from '../../../src/modules/positions/rules/position.ts';
import type {
  PositionStore,
  RecordedEvent,
  StoredPosition,
} from '../../../src/modules/positions/store/position-store-port.ts';
import { type MemoryAccess, type MemoryView, requireRow } from './memory-state.ts';

const eventKey = ({ walletId, mint, signature, kind }: RecordedEvent): string =>
  [walletId, mint, signature, kind].join('/');
const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const inOrder = (a: RecordedEvent, b: RecordedEvent): number =>
  (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0) ||
  text(a.signature, b.signature) ||
  text(a.mint, b.mint) ||
  text(a.kind, b.kind) ||
  text(a.walletId, b.walletId);
const byCost = (a: StoredPosition, b: StoredPosition): number =>
  a.cost === b.cost ? text(a.mint, b.mint) || text(a.walletId, b.walletId) : a.cost > b.cost ? -1 : 1;

function recordOne(view: MemoryView, event: RecordedEvent): boolean {
  const key = eventKey(event);
  if (view.positionEvents.get(key) !== undefined) return false;
  requireRow(view.wallets, 'wallets', event.walletId);
  requireRow(view.intents, 'intents', event.intentId);
  view.positionEvents.set(key, event);
  const row = `${event.walletId}/${event.mint}`;
  const known = view.positions.get(row) ?? unseen(event.walletId, event.mint);
  view.positions.set(row, { ...known, stale: true });
  return true;
}

export function memoryPositionStore({ read, write }: MemoryAccess): PositionStore {
  const events = (view: MemoryView, walletIds: readonly string[]): RecordedEvent[] =>
    view.positionEvents.rows().filter(({ walletId }) => walletIds.includes(walletId));
  return {
    record: (added) => write((view) => added.filter((event) => recordOne(view, event))),
    addPending: (attemptId, added) =>
      write((view) => {
        requireRow(view.attempts, 'attempts', attemptId);
        for (const event of added) {
          if (event.final || event.intentId === null)
            throw new Error('position_pending: final or without its intent');
          requireRow(view.wallets, 'wallets', event.walletId);
          const key = eventKey(event);
          if (view.positionPending.get(key) === undefined)
            view.positionPending.set(key, { ...event, attemptId });
        }
      }),
    dropPending: (attemptId) =>
      write((view) => {
        for (const event of view.positionPending.rows())
          if (event.attemptId === attemptId) view.positionPending.delete(eventKey(event));
      }),
    pending: (walletIds, mints) =>
      read((view) =>
        view.positionPending
          .rows()
          .filter(
            ({ walletId, mint }) =>
              walletIds.includes(walletId) && (mints === undefined || mints.includes(mint)),
          )
          .map(({ attemptId: _attempt, ...event }) => event),
      ),
    adjustments: (walletIds, mints) =>
      read((view) =>
        events(view, walletIds).filter(({ kind, mint }) => kind === 'adjustment' && mints.includes(mint)),
      ),
    events: (walletIds, mints) =>
      read((view) =>
        events(view, walletIds).filter(({ mint }) => mints === undefined || mints.includes(mint)),
      ),
    knownSignatures: (walletId, mint, signatures) =>
      read(
        (view) =>
          new Set(
            events(view, [walletId])
              .filter((event) => event.mint === mint && signatures.includes(event.signature))
              .map(({ signature }) => signature),
          ),
      ),
    bookedMints: (address) =>
      read((view) => {
        const mine = new Set(
          view.wallets
            .rows()
            .filter((wallet) => wallet.address === address)
            .map(({ id }) => id),
        );
        const held = view.positions.rows().filter(({ units, stale }) => units > 0n || stale);
        const rows = [...held, ...view.positionPending.rows()].filter(({ walletId }) => mine.has(walletId));
        return [...new Set(rows.map(({ mint }) => mint))];
      }),
    page: (walletIds, { after, limit }) =>
      read((view) =>
        events(view, walletIds)
          .sort(inOrder)
          .filter((event) => after === null || inOrder(after, event) < 0)
          .slice(0, limit),
      ),
    list: (walletIds) =>
      read((view) =>
        view.positions
          .rows()
          .filter(({ walletId }) => walletIds.includes(walletId))
          .sort(byCost),
      ),
    lockStale: (walletIds) =>
      write((view) => [
        ...new Set(
          view.positions
            .rows()
            .filter(({ walletId, stale }) => stale && walletIds.includes(walletId))
            .map(({ mint }) => mint)
            .sort(text),
        ),
      ]),
    save: (positions) =>
      write((view) => {
        for (const position of positions) {
          const key = `${position.walletId}/${position.mint}`;
          requireRow(view.wallets, 'wallets', position.walletId);
          const { hiddenByPerson = null, odd = null, midnight = null } = view.positions.get(key) ?? {};
          view.positions.set(key, { ...position, stale: false, hiddenByPerson, odd, midnight });
        }
      }),
    setHidden: (walletId, mint, hiddenByPerson) =>
      write((view) => {
        const key = `${walletId}/${mint}`;
        requireRow(view.wallets, 'wallets', walletId);
        const known = view.positions.get(key) ?? unseen(walletId, mint);
        view.positions.set(key, { ...known, hiddenByPerson });
      }),
    scan: (account) => read((view) => view.positionScans.get(account) ?? null),
    saveScan: (scan) =>
      write((view) => {
        requireRow(view.wallets, 'wallets', scan.walletId);
        view.positionScans.set(scan.account, scan);
      }),
    saveOdd: (walletId, mint, odd) =>
      write((view) => {
        const key = `${walletId}/${mint}`;
        requireRow(view.wallets, 'wallets', walletId);
        const known = view.positions.get(key) ?? unseen(walletId, mint);
        view.positions.set(key, { ...known, odd });
      }),
    lockOdd: (walletId, mint) => read((view) => view.positions.get(`${walletId}/${mint}`)?.odd ?? null),
    intentOf: (signature) =>
      read((view) => {
        const attempt = view.attempts.rows().find((one) => one.signature === signature);
        const intent = attempt === undefined ? undefined : view.intents.get(attempt.intentId);
        if (intent === undefined) return null;
        return { intentId: intent.id, open: intent.status === 'CREATED' || intent.status === 'ACTIVE' };
      }),
    checkedAt: (walletId) => read((view) => view.walletChecks.get(walletId)?.checkedAt ?? null),
    markChecked: (walletId, at, asked) =>
      write((view) => {
        requireRow(view.wallets, 'wallets', walletId);
        const known = view.walletChecks.get(walletId);
        const askedAt = asked ? at : (known?.askedAt ?? at);
        view.walletChecks.set(walletId, { walletId, checkedAt: at, askedAt });
      }),
    toCheck: ({ askedSince, checkedBefore, limit }) =>
      read((view) =>
        view.walletChecks
          .rows()
          .filter(({ checkedAt, askedAt }) => checkedAt < checkedBefore && askedAt >= askedSince)
          .sort((a, b) => a.checkedAt - b.checkedAt || text(a.walletId, b.walletId))
          .slice(0, limit)
          .map(({ walletId }) => walletId),
      ),
    withoutDay: (day, { after, limit }) =>
      read((view) =>
        view.wallets
          .rows()
          .filter(
            ({ id, deletedAt }) =>
              deletedAt === null &&
              (after === null || text(after, id) < 0) &&
              view.walletDays.get(`${id}/${day}`) === undefined &&
              view.positions
                .rows()
                .some(({ walletId, units, stale }) => walletId === id && (units > 0n || stale)),
          )
          .map(({ id }) => id)
          .sort(text)
          .slice(0, limit),
      ),
    saveMidnight: (walletId, worths) =>
      write((view) => {
        for (const [mint, midnight] of worths) {
          const key = `${walletId}/${mint}`;
          const known = view.positions.get(key);
          if (known !== undefined && known.midnight?.day !== midnight.day)
            view.positions.set(key, { ...known, midnight });
        }
      }),
    saveDays: (days) =>
      write((view) => {
        for (const day of days) {
          const key = `${day.walletId}/${day.day}`;
          requireRow(view.wallets, 'wallets', day.walletId);
          if (view.walletDays.get(key) === undefined) view.walletDays.set(key, day);
        }
      }),
    days: (walletIds, from) =>
      read((view) =>
        view.walletDays
          .rows()
          .filter(({ walletId, day }) => walletIds.includes(walletId) && day >= from)
          .sort((a, b) => a.day - b.day || text(a.walletId, b.walletId)),
      ),
  };
}

/** A row for what no event has told yet. */
function unseen(walletId: string, mint: Address): StoredPosition {
  return { ...emptyPosition(walletId, mint), stale: false, hiddenByPerson: null, odd: null, midnight: null };
}
