import { type Address, fromBase58, isAddress } from '../address.ts';
import type { ChainView, LocalChain } from '../chain.ts';
import type { Commitment } from '../slots.ts';
import { INVALID_PARAMS, invalidParams, MIN_CONTEXT_SLOT_NOT_REACHED, RpcError } from './rpc-error.ts';

export type Params = readonly unknown[];
export type Config = Readonly<Record<string, unknown>>;

const COMMITMENTS: Readonly<Record<string, Commitment>> = {
  processed: 'processed',
  confirmed: 'confirmed',
  finalized: 'finalized',
  // The names of the first releases, which old clients still send.
  recent: 'processed',
  single: 'confirmed',
  singleGossip: 'confirmed',
  root: 'finalized',
  max: 'finalized',
};

export function isRecord(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function addressParam(params: Params, index: number, what = 'an account address'): Address {
  return asAddress(params[index], `parameter ${index + 1} must be ${what}`);
}

export function asAddress(value: unknown, sentence: string): Address {
  if (typeof value !== 'string' || !isAddress(value)) {
    throw invalidParams(`${sentence} as base58 of 32 bytes`);
  }
  return value;
}

export function stringParam(params: Params, index: number, what: string): string {
  const value = params[index];
  if (typeof value !== 'string') throw invalidParams(`parameter ${index + 1} must be ${what} as text`);
  return value;
}

export function integerParam(params: Params, index: number, what: string): number {
  return asInteger(params[index], `parameter ${index + 1} must be ${what}`);
}

export function asInteger(value: unknown, sentence: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw invalidParams(`${sentence} as an integer from 0`);
  }
  return value;
}

export function optionalInteger(config: Config, key: string): number | undefined {
  const value = config[key];
  return value === undefined || value === null ? undefined : asInteger(value, `"${key}" must be given`);
}

export function arrayParam(params: Params, index: number, what: string, limit: number): readonly unknown[] {
  const value = params[index];
  if (!Array.isArray(value)) throw invalidParams(`parameter ${index + 1} must be a list of ${what}`);
  if (value.length > limit) throw new RpcError(INVALID_PARAMS, `Too many inputs provided; max ${limit}`);
  return value;
}

/** The configuration object at `index`; an absent or null one is empty. */
export function configParam(params: Params, index: number): Config {
  const value = params[index];
  if (value === undefined || value === null) return {};
  if (!isRecord(value)) throw invalidParams(`parameter ${index + 1} must be a configuration object`);
  return value;
}

export function signatureText(value: unknown, sentence: string): string {
  if (typeof value !== 'string' || fromBase58(value)?.length !== 64) {
    throw invalidParams(`${sentence} as base58 of 64 bytes`);
  }
  return value;
}

export function commitmentOf(config: Config, key = 'commitment'): Commitment {
  const value = config[key];
  if (value === undefined || value === null) return 'finalized';
  const known = typeof value === 'string' ? COMMITMENTS[value] : undefined;
  if (known === undefined) throw invalidParams(`"${key}" must be processed, confirmed or finalized`);
  return known;
}

/** Refuses when the chain has not reached the slot the caller insists on. */
export function assertMinContextSlot(config: Config, slot: number): void {
  const wanted = optionalInteger(config, 'minContextSlot');
  if (wanted !== undefined && slot < wanted) {
    throw new RpcError(MIN_CONTEXT_SLOT_NOT_REACHED, 'Minimum context slot has not been reached', {
      contextSlot: slot,
    });
  }
}

/** The view at the configuration's commitment, once it has reached `minContextSlot`. */
export function viewOf(chain: LocalChain, config: Config): ChainView {
  const view = chain.view(commitmentOf(config));
  assertMinContextSlot(config, view.slot);
  return view;
}

export function withContext(slot: number, value: unknown): unknown {
  return { context: { apiVersion: API_VERSION, slot }, value };
}

/** The first release whose histories tell a transaction's place in its block. */
export const API_VERSION = '4.0.0';
