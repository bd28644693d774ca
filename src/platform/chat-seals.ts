import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { openBox, sealBox } from './gcm-box.ts';
import type { ChatSeals } from './ports/chat-seals.ts';

/** Of a button's seal. A guess cannot be tried offline: each try is a tap. */
const SEAL_BYTES = 16;
const KEY_BYTES = 32;

type ChatKey = { readonly id: string; readonly mac: Uint8Array; readonly box: Uint8Array };

/**
 * Seals with the first key; seals of the others count too, so that a button from before a rotation works for the day of its life. Throws
 * a RangeError for a key that is not 32 bytes.
 */
export function createChatSeals(keys: readonly [Uint8Array, ...Uint8Array[]]): ChatSeals {
  const [current, ...former] = keys.map(chatKey) as [ChatKey, ...ChatKey[]];
  const all = new Map([...former, current].map((key) => [key.id, key]));
  const split = (text: string): { readonly key: ChatKey; readonly rest: string } | null => {
    const at = text.indexOf('.');
    const key = all.get(text.slice(0, at));
    return at < 1 || key === undefined ? null : { key, rest: text.slice(at + 1) };
  };
  return {
    seal: (text) => `${current.id}.${macOf(current, text).toString('base64url')}`,
    isSealed: (text, seal) => {
      const found = split(seal);
      if (found === null) return false;
      const given = Buffer.from(found.rest, 'base64url');
      return given.length === SEAL_BYTES && timingSafeEqual(given, macOf(found.key, text));
    },
    lock: (place, text) =>
      `${current.id}.${Buffer.from(sealBox(current.box, Buffer.from(text), Buffer.from(place))).toString('base64')}`,
    open: (place, locked) => {
      const found = split(locked);
      if (found === null) return null;
      try {
        return openBox(found.key.box, Buffer.from(found.rest, 'base64'), Buffer.from(place)).toString();
      } catch {
        return null;
      }
    },
  };
}

/** Seals of this process alone: another process's seals are unknown here. For roles that answer no taps. */
export function ownChatSeals(): ChatSeals {
  return createChatSeals([randomBytes(KEY_BYTES)]);
}

function chatKey(secret: Uint8Array): ChatKey {
  if (secret.length !== KEY_BYTES) throw new RangeError(`a chat key has ${KEY_BYTES} bytes`);
  const part = (label: string) =>
    new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), `tradepost/chat/${label}`, KEY_BYTES));
  const mac = part('button');
  return { mac, box: part('state'), id: createHash('sha256').update(mac).digest('hex').slice(0, 8) };
}

const macOf = ({ mac }: ChatKey, text: string): Buffer =>
  createHmac('sha256', mac).update(text).digest().subarray(0, SEAL_BYTES);
