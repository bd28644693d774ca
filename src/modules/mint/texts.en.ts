/** The wizards that make tokens and give their powers up. */
export const enCreate = {
  'btn.create_token': 'Create token',
  'btn.new_token': 'New token',
  'btn.create_referral': 'Create referral account',
  'btn.my_tokens': 'My tokens',
  'btn.skip': 'Skip',
  'btn.edit': 'Edit',
  'btn.review': 'Review',
  'btn.passport': 'Passport',
  'btn.revoke_wizard': 'Give up powers',
  'btn.revoke': 'Give up the {authority}',
  'btn.revoke_yes': 'Give it up for good',
  'btn.later': 'Not now',

  'create.referral_first':
    'One tap first: tokens made here are shared with your own link, so you need a referral account. It is free.',
  'create.ask_type':
    '<b>New token</b>\nWhich type? If people should be able to buy it at once, launch it instead.\n• <b>token</b>: the standard; every wallet and exchange knows it.\n• <b>token2022</b>: the newer standard, with extensions such as a transfer fee.',
  'create.ask_symbol':
    'The symbol, like PUP: 1 to 10 plain letters or digits. An accent counts as two, an emoji as four or more.',
  'create.ask_name':
    'Symbol {text}: {bytes} of {max}.\n\nThe name, up to 32 plain letters. Or use the symbol as the name.',
  'create.too_long': '{text} is too long: it counts as {bytes} letters, and {max} fit.',
  'create.ask_picture':
    'Name {text}: {bytes} of {max}.\n\nSend a picture (JPEG, PNG, WebP or GIF, up to {megabytes} MB); its caption becomes the description. Or send a link to your own metadata (https, ipfs or ar). It is written down, never opened.',
  'create.ask_description': 'A description in one message, up to 1,000 letters.',
  'create.ask_links':
    'Links, with spaces between: website, Telegram, X, Discord. I tell them apart by their addresses.',
  'create.bad_link': '{given} is not a link. Expected an address such as example.org or t.me/yourgroup.',
  'create.two_links': 'There is more than one {field}: only one of each kind is kept. Send them anew.',
  'create.ask_decimals':
    'Decimals: into how many digits one token can be split. 6 is usual, 0 makes it indivisible. Up to 18.',
  'create.ask_supply': 'How many tokens are made now? A whole number.',
  'create.ask_to': 'Who gets them? Choose your wallet, or send another wallet’s address.',
  'create.ask_fee':
    '<b>Transfer fee</b>: a part of every transfer is withheld for you.\nSend the rate in percent and the most that one transfer may cost in tokens, like <code>1 1000</code>. You may add two addresses: who can change the fee, and who collects it; without them it is your wallet.',
  'create.ask_interest':
    '<b>Interest</b>: wallets show a balance that grows; no tokens are made.\nSend the percent a year, like <code>5</code>. You may add the address that can change the rate; without it, it is your wallet.',
  'create.ask_delegate':
    '<b>Permanent delegate</b>: this address can take or burn the tokens of every holder, for ever. Most buyers stay away.\nWho? Choose your wallet, or send an address.',
  'create.ask_close':
    '<b>Close authority</b>: this address can close the token when no wallet holds any of it.\nWho? Choose your wallet, or send an address.',

  'create.powers_title': '<b>What you keep over {symbol}</b>\nTap to switch.',
  'create.power_on': '✓ <b>{name}</b>{value}: {meaning}',
  'create.power_off': '– {name}{value}: {meaning}',
  'create.power.mint_authority': 'Mint authority',
  'create.power.freeze_authority': 'Freeze authority',
  'create.power.update_authority': 'Metadata authority',
  'create.power.fee': 'Transfer fee',
  'create.power.interest': 'Interest',
  'create.power.delegate': 'Permanent delegate',
  'create.power.close': 'Close authority',
  'create.power.frozen': 'Born frozen',
  'create.power.soulbound': 'Non-transferable',
  'create.means.mint_authority': 'you can make more later; buyers see a warning.',
  'create.means.freeze_authority': 'you can stop any holder from moving tokens; buyers see a warning.',
  'create.means.update_authority': 'you can change name, symbol and picture later.',
  'create.means.fee': 'a part of each transfer is withheld for you.',
  'create.means.interest': 'wallets show a growing balance; no tokens are made.',
  'create.means.delegate':
    'one address can take or burn the tokens of every holder; buyers are blocked first.',
  'create.means.close': 'one address can close the token when no wallet holds any.',
  'create.means.frozen': 'new holders cannot move tokens until you thaw them; needs the freeze authority.',
  'create.means.soulbound': 'it can never be sent or sold.',

  'create.review_title': '<b>{symbol}</b> · {name}',
  'create.review_facts': '{type} · {decimals} decimals · {supply} to {to}',
  'create.review_description': '{description}',
  'create.review_links': '{links}',
  'create.picture_none': 'No picture',
  'create.picture_kept': 'With your picture',
  'create.picture_own': 'With your own metadata',
  'create.review_metadata': 'Metadata {uri}',
  'create.cost':
    'Account deposits {rent} · metadata program {metadata}\nCreation fee {platform} · network at most {network}\n<b>At most {total}</b>',
  'create.wallet': 'Wallet {wallet}: {sol}',
  'create.short': '<b>Short by {sol}.</b> Deposit it, then choose Edit and Review.',
  'create.buyers_see': '<b>What buyers will see</b>',
  'create.two': 'It takes two transactions, one after the other; you confirm once.',
  'btn.make_tradable': 'Make it tradable',
  'btn.launch_instead': 'Launch instead',
  'btn.launch_new': 'Launch a new one',
  'create.no_market': 'You get the whole supply. It cannot be bought or sold until it has a market.',
  'create.no_market_or_launch':
    'You get the whole supply. It cannot be bought or sold until it has a market. A token that is <b>launched</b> sells from its first minute; one that is made cannot be launched later.',
  'create.market':
    '<b>Make it tradable</b>\nThis token has no market yet. A market is a pool on an exchange, with some of the token and some SOL in it. This service cannot open one: withdraw the tokens to a wallet of your own and open the pool on an exchange such as Raydium or Meteora. As soon as the pool is open, the token trades here.',
  'create.market_or_launch':
    '<b>Make it tradable</b>\nThis token has no market yet. A market is a pool on an exchange, with some of the token and some SOL in it. This service cannot open one: withdraw the tokens to a wallet of your own and open the pool on an exchange such as Raydium or Meteora. As soon as the pool is open, the token trades here.\n\nA token that is <b>launched</b> needs none of this: it sells from its first minute. It is made anew, though; this one stays as it is.',
  'create.final': 'Once it is made it cannot be undone.',
  'create.refused': '<b>That does not hold together yet:</b>',
  'create.edit': 'What of {symbol} shall change?',
  'create.field.type': 'Type',
  'create.field.symbol': 'Symbol',
  'create.field.name': 'Name',
  'create.field.picture': 'Picture',
  'create.field.description': 'Description',
  'create.field.links': 'Links',
  'create.field.decimals': 'Decimals',
  'create.field.supply': 'Supply',
  'create.field.to': 'Who gets it',
  'create.field.powers': 'Powers',
  'create.share_text': '{symbol} on Solana: its passport and trade card',

  'btn.launch_wizard': 'Launch it instead',
  'btn.launch': 'Launch',
  'btn.no_first_buy': 'No first buy',
  'btn.change_first_buy': 'Change first buy',
  'launch.ask_pad':
    '<b>Launch</b>\nA launchpad makes the token and sells it at once, at a price that rises with each purchase; no person keeps a power over it. Which one?',
  'launch.ask_first_buy': 'Your own first buy, in the same transaction, in SOL: an amount like 0.2, or none.',
  'launch.title':
    '<b>Launch {symbol}</b> · {name} on {pad}\n{supply} tokens, for sale at once at a rising price',
  'launch.cost':
    'Launchpad and account deposits at most {pad}\nService fee {platform} · network at most {network}\nYour first buy {buy}\n<b>At most {total}</b>',
  'launch.first_buy': 'First buy: about {quoted} {symbol}, at least {minimum} (slippage {slippage})',
  'launch.short': '<b>Short by {sol}.</b> Deposit it, or change the first buy.',
  'launch.most': 'A first buy of {sol} or less is possible now.',
  'launch.final': 'This goes on-chain and cannot be undone.',

  'revoke.none': 'You have made no token here yet. /create_token makes one.',
  'revoke.list': '<b>Your tokens</b>\nChoose one to see what you still hold over it.',
  'revoke.title':
    '<b>{symbol}</b> · powers you hold\n{mint}\n\nBuyers trust a token more when no key can change it. Best order: mint, freeze, metadata. Keep the freeze authority where accounts start frozen, or holders stay locked for ever.',
  'revoke.held': '• {authority}: <b>you hold it</b>',
  'revoke.never': '• {authority}: gone since {at}\n  {signature}',
  'revoke.all_gone': 'All three are gone. They cannot come back.',
  'revoke.ask':
    '<b>Give up the {authority} of {symbol}?</b>\n{meaning}\n\nNetwork fee at most {fee}. It cannot be undone: no person, not even you, can have it again.',
  'revoke.means.freeze': 'Holders can no longer be frozen.',
  'revoke.means.mint': 'The supply can never grow again.',
  'revoke.means.update': 'Name, symbol and picture stay for ever as they are.',
  'revoke.reminder':
    'A day ago you made {symbol}. You still hold its {authorities}. Giving them up makes buyers trust it more.',
} as const;
