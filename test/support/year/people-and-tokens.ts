import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import type pg from 'pg';

/** Tokens that people trade; each has one market. */
export const TOKENS = 40;
/** Slots of a day of the generated year, and the slot it begins at. */
export const SLOTS_A_DAY = 216_000;
export const FIRST_SLOT = 300_000_000;

const addressOf = (name: string): string => bs58.encode(createHash('sha256').update(name).digest());

/**
 * Temporary tables of who trades what: `everybody` (p, user_id, wallet_id, address) and `token` (k, mint). The token of a person on
 * a day is `TOKEN_OF`.
 */
export async function makePeopleAndTokens(client: pg.Client, people: number): Promise<void> {
  const everybody = Array.from({ length: people }, (_, index) => ({
    p: index + 1,
    user_id: `U${String(index + 1).padStart(25, '0')}`,
    wallet_id: `W${String(index + 1).padStart(25, '0')}`,
    address: addressOf(`wallet ${index + 1}`),
  }));
  await client.query('CREATE TEMP TABLE everybody (p int, user_id text, wallet_id text, address text)');
  await client.query(
    'INSERT INTO everybody SELECT * FROM jsonb_to_recordset($1) AS r (p int, user_id text, wallet_id text, address text)',
    [JSON.stringify(everybody)],
  );
  const tokens = Array.from({ length: TOKENS }, (_, k) => ({ k, mint: addressOf(`token ${k}`) }));
  await client.query('CREATE TEMP TABLE token (k int PRIMARY KEY, mint text)');
  await client.query('INSERT INTO token SELECT * FROM jsonb_to_recordset($1) AS r (k int, mint text)', [
    JSON.stringify(tokens),
  ]);
}

/** A person stays with a token for three days. */
export const TOKEN_OF = `(p * 7 + d / 3) % ${TOKENS}`;
