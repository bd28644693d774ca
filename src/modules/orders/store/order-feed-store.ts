import { encodePlain, fromTime, toTime } from '../../../platform/db/codec.ts';
import type { Connection } from '../../../platform/db/connection.ts';
import { storedAddress } from '../../../platform/db/stored-address.ts';
import type { OrderFeedStore } from './order-feed-store-port.ts';
import { ORDER_SHARDS } from './order-store-port.ts';

// SQL: leases and marks are compared and set. A lease that ends later than one of now would was taken before the clock was set back.

type RatioRow = { readonly got: string | null; readonly given: string | null; readonly at: Date };

type MoveRow = Readonly<Record<'signature' | 'recipient' | 'slot' | 'units', string>> & {
  readonly seenAt: Date;
};

export function createOrderFeedStore({ query }: Pick<Connection, 'query'>): OrderFeedStore {
  return {
    take: async ({ owner, now, until }) => {
      const rows = await query<{ readonly shard: number }>(
        `INSERT INTO shard_leases (shard, owner, until, epoch)
         SELECT shard, $1, $3::timestamptz, 1 FROM generate_series(0, ${ORDER_SHARDS - 1}) AS shard
         ON CONFLICT (shard) DO UPDATE SET owner = $1, until = $3::timestamptz,
           epoch = shard_leases.epoch + (shard_leases.owner <> $1)::int
         WHERE shard_leases.owner = $1 OR shard_leases.until <= $2::timestamptz
           OR shard_leases.until > $3::timestamptz + interval '1 minute'
         RETURNING shard`,
        [owner, toTime(now), toTime(until)],
      );
      return rows.map(({ shard }) => shard).toSorted((a, b) => a - b);
    },
    leave: async (owner) => {
      await query('DELETE FROM shard_leases WHERE owner = $1', [owner]);
    },
    ...marksIn(query),
    ...peaksIn(query),
    ...movesIn(query),
  };
}

/** The price of each token at which orders were last compared. */
function marksIn(query: Connection['query']): Pick<OrderFeedStore, 'saveMarks' | 'marks'> {
  return {
    saveMarks: async (marks) => {
      if (marks.length === 0) return;
      await query(
        `INSERT INTO order_marks (mint, slot, price_got, price_given, at)
         SELECT mint, slot, got, given, at FROM jsonb_to_recordset($1::jsonb)
           AS r (mint text, slot bigint, got numeric, given numeric, at timestamptz)
         ON CONFLICT (mint) DO UPDATE SET slot = excluded.slot, price_got = excluded.price_got,
           price_given = excluded.price_given, at = excluded.at WHERE order_marks.at <= excluded.at`,
        [
          encodePlain(
            marks.map(({ mint, slot, price, at }) => ({
              mint,
              slot: slot.toString(),
              got: price?.got.toString() ?? null,
              given: price?.given.toString() ?? null,
              at: toTime(at),
            })),
          ),
        ],
      );
    },
    marks: async (mints) => {
      const rows = await query<RatioRow & { readonly mint: string; readonly slot: string }>(
        `SELECT mint, slot::text AS slot, price_got::text AS got, price_given::text AS given, at FROM order_marks
         WHERE mint = ANY($1::text[]) ORDER BY mint`,
        [mints],
      );
      return rows.map(({ mint, slot, got, given, at }) => ({
        mint: storedAddress(mint),
        slot: BigInt(slot),
        price: got === null || given === null ? null : { got: BigInt(got), given: BigInt(given) },
        at: fromTime(at),
      }));
    },
  };
}

/** The best prices that trailing orders follow. */
function peaksIn(query: Connection['query']): Pick<OrderFeedStore, 'savePeaks' | 'peaks'> {
  return {
    savePeaks: async (peaks) => {
      if (peaks.length === 0) return;
      const rows = encodePlain(
        peaks.map(({ mint, lane, at, rate }) => ({
          mint,
          lane,
          at: toTime(at),
          got: rate.got.toString(),
          given: rate.given.toString(),
        })),
      );
      await query(
        `WITH r AS (SELECT * FROM jsonb_to_recordset($1::jsonb)
             AS r (mint text, lane text, at timestamptz, got numeric, given numeric)),
         gone AS (DELETE FROM trail_peaks old USING r WHERE old.mint = r.mint AND old.lane = r.lane AND old.at < r.at
             AND old.rate_got * r.given <= r.got * old.rate_given)
         INSERT INTO trail_peaks (mint, lane, at, rate_got, rate_given) SELECT mint, lane, at, got, given FROM r
         ON CONFLICT (mint, lane, at) DO UPDATE SET rate_got = excluded.rate_got, rate_given = excluded.rate_given
           WHERE trail_peaks.rate_got * excluded.rate_given < excluded.rate_got * trail_peaks.rate_given`,
        [rows],
      );
    },
    peaks: async (mints) => {
      const rows = await query<RatioRow & { readonly mint: string; readonly lane: string }>(
        `SELECT mint, lane, rate_got::text AS got, rate_given::text AS given, at FROM trail_peaks
         WHERE mint = ANY($1::text[]) ORDER BY mint, lane, at`,
        [mints],
      );
      return rows.map(({ mint, lane, got, given, at }) => ({
        mint: storedAddress(mint),
        lane,
        at: fromTime(at),
        rate: { got: BigInt(got ?? 0), given: BigInt(given ?? 1) },
      }));
    },
  };
}

/** Transfers of creators to other wallets. */
function movesIn(
  query: Connection['query'],
): Pick<OrderFeedStore, 'creatorPlace' | 'saveCreatorRead' | 'creatorMoves'> {
  return {
    creatorPlace: async (creator) => {
      const [row] = await query<{ readonly after: string; readonly slot: string }>(
        'SELECT from_slot::text AS after, slot::text AS slot FROM creator_places WHERE creator = $1',
        [creator],
      );
      return row === undefined ? null : { after: BigInt(row.after), slot: BigInt(row.slot) };
    },
    saveCreatorRead: async ({ creator, after, slot, moves, at }) => {
      await query(
        `WITH place AS (INSERT INTO creator_places (creator, from_slot, slot) VALUES ($1, $5::bigint, $2::bigint)
           ON CONFLICT (creator) DO UPDATE SET from_slot = excluded.from_slot, slot = excluded.slot)
         INSERT INTO creator_moves (mint, creator, signature, recipient, slot, units, seen_at)
         SELECT mint, $1, signature, recipient, slot, units, $4::timestamptz FROM jsonb_to_recordset($3::jsonb)
           AS r (mint text, signature text, recipient text, slot bigint, units numeric)
         ON CONFLICT (mint, creator, signature, recipient) DO NOTHING`,
        [
          creator,
          slot,
          encodePlain(
            moves.map(({ mint, signature, recipient, slot: of, units }) => ({
              mint,
              signature,
              recipient,
              slot: of.toString(),
              units: units.toString(),
            })),
          ),
          toTime(at),
          after,
        ],
      );
    },
    creatorMoves: async (mint, creator, afterSlot) => {
      const rows = await query<MoveRow>(
        `SELECT signature, recipient, slot::text AS slot, units::text AS units, seen_at AS "seenAt" FROM creator_moves
         WHERE mint = $1 AND creator = $2 AND slot > $3::bigint ORDER BY slot, signature, recipient`,
        [mint, creator, afterSlot],
      );
      return rows.map(({ signature, recipient, slot, units, seenAt }) => ({
        mint,
        creator,
        signature,
        recipient: storedAddress(recipient),
        slot: BigInt(slot),
        units: BigInt(units),
        seenAt: fromTime(seenAt),
      }));
    },
  };
}
