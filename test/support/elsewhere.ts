import type { LocalTelegram } from '@tradepost/local-telegram';
import type { DeskChain } from '../../src/local/desk/index.ts';
import type { Elsewhere } from './role-process.ts';

/** Where the stand-ins of a test are, for a role in a process of its own. */
export function elsewhereOf(chain: DeskChain, telegram: LocalTelegram): Elsewhere {
  const usd = chain.world.tokens.find(({ symbol }) => symbol === 'USDC' || symbol === 'USDX');
  return {
    rpcUrl: chain.rpcUrl,
    wsUrl: chain.rpcUrl.replace('http', 'ws'),
    deskUrl: chain.deskUrl,
    usdMint: usd?.mint ?? '',
    tokens: chain.world.tokens.map(({ mint }) => mint),
    botApiUrl: telegram.botApiUrl,
    token: telegram.token,
    chatUrl: telegram.chatUrl,
  };
}
