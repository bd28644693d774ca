import type { IpBlock, IpBlocks } from '../../../src/modules/keys/store/ip-blocks-port.ts';

export function fakeIpBlocks(): IpBlocks {
  const blocks = new Map<string, IpBlock>();
  return {
    list: async () => [...blocks.values()].toSorted((one, other) => one.since - other.since),
    add: async (block) => {
      if (!blocks.has(block.client)) blocks.set(block.client, block);
    },
    lift: async (client) => blocks.delete(client),
  };
}
