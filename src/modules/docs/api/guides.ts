import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In the order in which they are read. */
export const GUIDES = [
  { name: 'quickstart', title: 'Quickstart', sentence: 'Quote, build, sign, send and follow a swap.' },
  {
    name: 'options',
    title: 'Swap options',
    sentence: 'Who pays, who receives, how long, over what, and the parts.',
  },
  { name: 'errors', title: 'Errors', sentence: 'One shape of refusals, and what to do after each.' },
  {
    name: 'idempotency',
    title: 'Idempotency',
    sentence: 'Ask again after a lost answer, and nothing is done twice.',
  },
  { name: 'rates', title: 'Rates', sentence: 'How often a client may ask, and how it knows.' },
  { name: 'wallets', title: 'Wallets', sentence: 'What any address holds, traded and earned.' },
  {
    name: 'signatures',
    title: 'Program keys',
    sentence: 'A program of yours reads your own wallet: the key, and how its requests are signed.',
  },
  { name: 'webhooks', title: 'Webhooks', sentence: 'Be told of your transactions, and check who says it.' },
  { name: 'sandbox', title: 'Sandbox', sentence: 'A chain of your own with this API and play SOL.' },
  {
    name: 'agents',
    title: 'Agents',
    sentence: 'Tools for a model that quotes, builds and reads, and never signs.',
  },
] as const;

const own = (name: string): string => fileURLToPath(new URL(`../guides/${name}.md`, import.meta.url));
const texts = new Map<string, string>(GUIDES.map(({ name }) => [name, readFileSync(own(name), 'utf8')]));

/** A guide as it was written; null where there is none of this name. */
export const guideText = (name: string): string | null => texts.get(name) ?? null;
