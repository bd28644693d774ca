import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Tokens que la gente crea: qué falla en un deseo, qué significa cada poder para quien los tiene, y cómo fue. */
export const esMint = {
  'mint.err.required': 'Falta: {field}.',
  'mint.err.address': '{field}: debe ser una dirección de Solana de 32 a 44 letras y cifras.',
  'mint.err.not_wallet': '{field}: debe ser una cartera con la que alguien pueda firmar.',
  'mint.err.conflict': '{field}: no puede ser la misma dirección que {other}.',
  'mint.err.long':
    '{field}: como mucho {max} letras sencillas. Un acento cuenta como 2, un emoji como 4 o más.',
  'mint.err.unprintable':
    '{field}: contiene caracteres invisibles o de control, o un espacio en un extremo. Escríbelo llanamente, por favor.',
  'mint.err.program': 'El tipo debe ser token o token2022.',
  'mint.err.decimals': 'Los decimales deben ser un número entero de 0 a {max}.',
  'mint.err.supply': 'La cantidad debe ser un número entero de tokens, al menos 1.',
  'mint.err.supply_large': 'Con {decimals} decimales la cantidad puede ser de {max} tokens como mucho.',
  'mint.err.mint_to': 'Di, por favor, qué cartera recibe los tokens.',
  'mint.err.needs_2022': '{field}: solo existe para el tipo token2022.',
  'mint.err.fee_incomplete':
    'Una comisión por transferencia necesita las cuatro cosas: quién puede cambiarla, quién la cobra, el porcentaje y el máximo.',
  'mint.err.fee_range': 'La comisión por transferencia debe estar entre 0 y 100\u202f%.',
  'mint.err.fee_max':
    'El máximo de la comisión por transferencia debe ser un número entero de las unidades más pequeñas.',
  'mint.err.interest_incomplete': 'El interés necesita ambas cosas: quién puede cambiar la tasa, y la tasa.',
  'mint.err.interest_range':
    'El interés debe estar entre 0 y 100\u202f% al año, con dos decimales como mucho.',
  'mint.err.state': 'El estado inicial de las cuentas es initialized o frozen.',
  'mint.err.frozen':
    'Las cuentas que nacen congeladas necesitan quien pueda congelar, o nadie podría descongelarlas jamás.',
  'mint.err.non_transferable':
    'Un token que no se puede transferir no puede tener comisión por transferencia.',
  'mint.err.uri': '{field}: debe ser un enlace https, ipfs o ar sin espacios.',
  'mint.err.link': '{field}: debe ser un enlace que empiece por {schemes}',
  'mint.err.tags': 'Puede haber {max} etiquetas como mucho.',
  'mint.err.recipient': 'Eso es una cuenta de token o un token, no una cartera. Da la cartera, por favor.',
  'mint.err.exists': 'Ya existe algo en la dirección de ese token.',
  'mint.err.too_large':
    'Todos estos ajustes juntos no caben en una transacción. Con un enlace de metadatos de {max} letras como mucho cabrían.',
  'mint.err.filled': 'Este token ya tiene su cantidad: no queda nada por terminar.',
  'mint.err.frozen_for_ever':
    'Las cuentas nuevas de este token empiezan congeladas. Sin el poder de congelar nadie podría descongelarlas nunca, y nadie podría comprar ni mover el token. Haz primero que las cuentas nuevas empiecen sin congelar.',
  'mint.err.gone': 'Nadie tiene ya ese poder: se renunció a él para siempre.',

  'mint.power.TAKE_OR_BURN': '{holder} puede tomar o quemar los tokens de cualquiera, en cualquier momento.',
  'mint.power.BORN_FROZEN':
    'Cada nuevo tenedor empieza congelado hasta que {holder} lo descongele: nadie puede operar libremente.',
  'mint.power.FREEZE': '{holder} puede congelar los tokens de cualquiera.',
  'mint.power.MINT_MORE': '{holder} puede crear más tokens, lo que diluye la parte de todos.',
  'mint.power.CHANGE_TRANSFER_FEE':
    '{holder} puede cambiar la comisión de cada transferencia, hasta el 100\u202f%.',
  'mint.power.COLLECT_TRANSFER_FEE': '{holder} cobra las comisiones de las transferencias.',
  'mint.power.CHANGE_INTEREST': '{holder} puede cambiar el interés que muestran los saldos.',
  'mint.power.CLOSE_MINT': '{holder} puede cerrar el token cuando no quede ninguno.',
  'mint.power.CHANGE_METADATA': '{holder} puede cambiar el nombre, el símbolo y la imagen.',
  'mint.power.NON_TRANSFERABLE': 'Nadie podrá enviarlo ni venderlo jamás.',
  'mint.warn.no_metadata':
    'Esta red no tiene programa de metadatos, así que un token del tipo «token» no tiene nombre en la cadena. token2022 conserva el suyo.',
  'mint.warn.looks_like':
    'El símbolo se puede confundir con un token conocido ({mint}). Se avisa a los compradores.',

  'mint.field.payer': 'la cartera',
  'mint.field.newMint': 'la dirección del token',
  'mint.field.symbol': 'el símbolo',
  'mint.field.name': 'el nombre',
  'mint.field.metadataUri': 'el enlace de metadatos',
  'mint.field.metadata.description': 'la descripción',
  'mint.field.metadata.imageUri': 'el enlace de la imagen',
  'mint.field.metadata.extensions.discord': 'el enlace de Discord',
  'mint.field.metadata.extensions.telegram': 'el enlace de Telegram',
  'mint.field.metadata.extensions.twitter': 'el enlace de Twitter',
  'mint.field.metadata.extensions.website': 'el sitio web',
  'mint.field.metadata.tags': 'las etiquetas',
  'mint.field.mintToPubkey': 'la cartera que recibe',
  'mint.field.transferFeeConfigAuthority': 'quien cambia la comisión',
  'mint.field.transferFeeWithdrawalAuthority': 'quien cobra la comisión',
  'mint.field.transferFeeBps': 'el porcentaje de la comisión',
  'mint.field.transferFeeMax': 'el máximo de la comisión',
  'mint.field.permanentDelegate': 'el delegado permanente',
  'mint.field.defaultAccountState': 'el estado inicial de las cuentas',
  'mint.field.interestBearingAuthority': 'quien cambia el interés',
  'mint.field.interestBearingPercent': 'el interés',
  'mint.field.mintCloseAuthority': 'quien puede cerrar',
  'mint.field.nonTransferableMint': 'la regla de no transferible',

  'mint.authority.mint': 'poder de crear más',
  'mint.authority.freeze': 'poder de congelar',
  'mint.authority.update': 'poder sobre los metadatos',

  'result.created': '<b>Creado {symbol}</b> · {name} ({state})\n{mint}',
  'result.revoked': '<b>El {authority} se ha ido para siempre</b> ({state})\n{mint}',
  'result.creation_costs':
    'Depósito de cuentas {rent} · comisión de red {fee} · comisión de creación {platform}',
  'result.expired_token': 'No llegó a la red a tiempo y ya no puede llegar. No se pagó nada.',
  'result.prepared':
    '<b>{symbol}</b>: la primera de dos transacciones está en la cadena. La cantidad sigue sola; no te queda nada por hacer.',
  'result.expired_half': 'La segunda transacción no llegó a la red a tiempo y ya no puede llegar.',
  'result.unfinished':
    '{symbol} está en la cadena sin cantidad, y solo tu cartera puede llenarlo. Terminar crea la cantidad; nada se crea dos veces.\n{mint}',
  'btn.finish_token': 'Terminar',
  'receipt.prepared': 'Preparado {symbol}, la primera de dos transacciones\n{mint}',
  'result.launched': '<b>Lanzado {symbol}</b> · {name} ({state})\n{mint}',
  'result.first_buy': 'Primera compra: {amount} {symbol} por {sol}',
  'notice.graduated':
    '<b>{symbol} se ha graduado</b>: su lanzamiento en {pad} se vendió entero y ya cotiza en el mercado abierto.\n{mint}',
  'receipt.launched': 'Lanzado {symbol} · {supply} unidades\n{mint}',
  'receipt.created': 'Creado {symbol} · {supply} unidades\n{mint}',
  'receipt.revoked': 'Renuncia al {authority} de\n{mint}',
  'receipt.platform_fee': 'Comisión de creación {fee}',
  'result.mint_refused':
    'La red lo rechazó: {why} No se creó ningún token ni se cobró comisión de creación. La comisión de red se perdió: {sol}.',
  'result.why_funds': 'la cartera tenía muy poco SOL en ese momento.',
  'result.why_unknown': 'aún no se conoce el motivo.',
  'result.why': 'el motivo que da es {error}.',
} as const satisfies Catalogue;
