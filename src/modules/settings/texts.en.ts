/** /help, a page per topic. */
export const enHelp = {
  'btn.help_steps': 'First steps',
  'btn.help_trading': 'Trading',
  'btn.help_wallets': 'Wallets and safety',
  'btn.help_referral': 'Referral',
  'btn.help_commands': 'Commands',
  'help.title':
    '<b>Help</b>\nPaste a token address at any time to see its trade card. /cancel stops any question.{source}\n\nStaff never write first.',
  'help.source': '\nOfficial source: {url}',
  'help.steps':
    '<b>First steps</b>\n1. Press <b>Create Deposit Wallet</b>.\n2. /deposit shows your address and a QR code: send SOL there.\n3. /trade or paste a token address, choose an amount, check the numbers, confirm.\n4. /withdraw_sol and /withdraw_spl send your money anywhere.',
  'help.trading':
    '<b>Trading</b>\nThe confirm screen shows what you get about and at least, the price impact and every fee. A quote is good for 10 seconds; when the price moved by more than your slippage, you are asked again.\n\nAmounts: 0.5 or 0,5, max, 50%.\n\nResult not known yet means just that: do not repeat the trade, the bot keeps checking and tells you here. Expired means it did not land and can no longer land.',
  'help.wallets':
    '<b>Wallets and safety</b>\nA deposit wallet is kept by this service: its key is sealed on the server. It is not backed up for you, so keep only what you trade with.\n\nUp to {max} wallets; a deleted one can be restored for {days} days, and at any time while it holds something. Network fees are paid by the active wallet.\n\nWithdrawals need your PIN, typed as an answer and deleted at once. /panic freezes everything.\n\nNo person from this service writes first, or asks for a key or PIN.',
  'help.referral':
    '<b>Referral</b>\n/referral gives you a link. People who start the bot through it count as yours for good, and you earn {percent} of the fees of their trades, new tokens and launches, paid in SOL to your active wallet.',
  'help.commands':
    '<b>Commands</b>\n{list}\n\nAlso: /positions, /orders, /alerts, /wallets, /following, /new, /launch, /my_tokens and /points; /panic freezes everything at once.',
  'btn.help_fees': 'Fees',
  'btn.help_create': 'Create and launch',
  'btn.help_security': 'Security',
  'btn.help_points': 'Points',
  'help.fees':
    '<b>Fees</b>\n• A trade: {trade} of its SOL side, shown before you confirm. Nothing when it does not go through.\n• Creating a token {create}, launching one {launch}, both plus the network’s own costs.\n• Wallets, deposits, charts, search and withdrawals: nothing to this service.\n\nThe network takes a small fee for each transaction, also for one that fails, and about 0.002 SOL as a deposit for the first account of a token in your wallet: it comes back when that account is closed.',
  'help.create':
    '<b>Create and launch</b>\n<b>Create token</b>: you choose symbol, picture, supply and powers, and get the whole supply, for {fee} and the network’s costs. It has no market until one is opened.\n<b>Launch</b>: a launchpad makes the token and sells it from its first minute, at a price that rises with each purchase.\n\nUnder Create → My tokens you can give up powers for good; buyers see a warning for each one that is left.',
  'help.security':
    '<b>Security</b>\n• Withdrawals always need your PIN; with an authenticator also its code. Set both under More → Security.\n• Trades above a daily sum, and of young or home-made tokens, ask for the PIN too.\n• A new withdrawal address can be used only after a while; a message tells you, and you can block it.\n• /panic freezes everything at once. Unlocking needs your PIN.\n• Make a backup of each wallet: an encrypted file that opens without this service.\n\nNo person from this service writes first, or asks for a key or PIN.',
  'help.points':
    '<b>Points</b>\nAn internal balance: not a token, no cash value. You get them for fees that you really paid, for tokens that you made and for tapping, and spend them in the shop: a smaller fee for some days, one more wallet, a badge. Earn → Points shows the rules.',
} as const;
