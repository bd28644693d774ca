import type { Catalogue } from '../../compose/texts/catalogue.ts';

/** Los asistentes que crean tokens, los lanzan y renuncian a sus poderes. */
export const esCreate = {
  'btn.create_token': 'Crear el token',
  'btn.new_token': 'Token nuevo',
  'btn.create_referral': 'Crear cuenta de referidos',
  'btn.my_tokens': 'Mis tokens',
  'btn.skip': 'Saltar',
  'btn.edit': 'Cambiar',
  'btn.review': 'Revisar',
  'btn.passport': 'Pasaporte',
  'btn.revoke_wizard': 'Renunciar a poderes',
  'btn.revoke': 'Renunciar al {authority}',
  'btn.revoke_yes': 'Renunciar para siempre',
  'btn.later': 'Ahora no',

  'create.referral_first':
    'Antes, un toque: los tokens creados aquí se comparten con tu propio enlace, así que necesitas una cuenta de referidos. Es gratis.',
  'create.ask_type':
    '<b>Token nuevo</b>\n¿De qué tipo? Si la gente debe poder comprarlo enseguida, mejor lánzalo.\n• <b>token</b>: el estándar; lo conocen todas las carteras y mercados.\n• <b>token2022</b>: el estándar más nuevo, con extensiones como una comisión por transferencia.',
  'create.ask_symbol':
    'El símbolo, como PUP: de 1 a 10 letras o cifras sencillas. Un acento cuenta como 2, un emoji como 4 o más.',
  'create.ask_name':
    'Símbolo {text}: {bytes} de {max}.\n\nEl nombre, hasta 32 letras sencillas. O usa el símbolo como nombre.',
  'create.too_long': '{text} es demasiado largo: cuenta como {bytes} letras y caben {max}.',
  'create.ask_picture':
    'Nombre {text}: {bytes} de {max}.\n\nEnvía una imagen (JPEG, PNG, WebP o GIF, hasta {megabytes} MB); su pie será la descripción. O envía un enlace a tus propios metadatos (https, ipfs o ar). Se anota, nunca se abre.',
  'create.ask_description': 'Una descripción en un mensaje, hasta 1000 letras.',
  'create.ask_links':
    'Enlaces, separados por espacios: sitio web, Telegram, X, Discord. Los distingo por sus direcciones.',
  'create.bad_link': '{given} no es un enlace. Se espera una dirección como example.org o t.me/tugrupo.',
  'create.two_links': 'Más de una vez {field}: solo se guarda uno de cada tipo. Envíalos de nuevo.',
  'create.ask_decimals':
    'Decimales: en cuántas cifras se puede dividir un token. 6 es lo habitual, 0 lo hace indivisible. Hasta 18.',
  'create.ask_supply': '¿Cuántos tokens se crean ahora? Un número entero.',
  'create.ask_to': '¿Quién los recibe? Elige tu cartera, o envía la dirección de otra.',
  'create.ask_fee':
    '<b>Comisión por transferencia</b>: una parte de cada transferencia se retiene para ti.\nEnvía el porcentaje y lo máximo que puede costar una transferencia en tokens, como <code>1 1000</code>. Puedes añadir dos direcciones: quién puede cambiar la comisión y quién la cobra; sin ellas es tu cartera.',
  'create.ask_interest':
    '<b>Interés</b>: las carteras muestran un saldo que crece; no se crean tokens.\nEnvía el porcentaje anual, como <code>5</code>. Puedes añadir la dirección que puede cambiar la tasa; sin ella es tu cartera.',
  'create.ask_delegate':
    '<b>Delegado permanente</b>: esta dirección puede tomar o quemar los tokens de cualquier tenedor, para siempre. La mayoría de los compradores se aparta.\n¿Quién? Elige tu cartera, o envía una dirección.',
  'create.ask_close':
    '<b>Poder de cerrar</b>: esta dirección puede cerrar el token cuando nadie tenga ninguno.\n¿Quién? Elige tu cartera, o envía una dirección.',

  'create.powers_title': '<b>Lo que conservas sobre {symbol}</b>\nToca para cambiar.',
  'create.power_on': '✓ <b>{name}</b>{value}: {meaning}',
  'create.power_off': '– {name}{value}: {meaning}',
  'create.power.mint_authority': 'Crear más',
  'create.power.freeze_authority': 'Congelar',
  'create.power.update_authority': 'Metadatos',
  'create.power.fee': 'Comisión por transferencia',
  'create.power.interest': 'Interés',
  'create.power.delegate': 'Delegado permanente',
  'create.power.close': 'Cerrar',
  'create.power.frozen': 'Nace congelado',
  'create.power.soulbound': 'No transferible',
  'create.means.mint_authority': 'puedes crear más después; los compradores ven un aviso.',
  'create.means.freeze_authority':
    'puedes impedir que cualquier tenedor mueva sus tokens; los compradores ven un aviso.',
  'create.means.update_authority': 'puedes cambiar nombre, símbolo e imagen después.',
  'create.means.fee': 'una parte de cada transferencia se retiene para ti.',
  'create.means.interest': 'las carteras muestran un saldo que crece; no se crean tokens.',
  'create.means.delegate':
    'alguien puede tomar o quemar los tokens de cualquier tenedor; primero se frena a los compradores.',
  'create.means.close': 'alguien puede cerrar el token cuando nadie tenga ninguno.',
  'create.means.frozen':
    'los nuevos tenedores no pueden mover tokens hasta que los descongeles; necesita el poder de congelar.',
  'create.means.soulbound': 'nadie podrá enviarlo ni venderlo jamás.',

  'create.review_facts': '{type} · {decimals} decimales · {supply} para {to}',
  'create.picture_none': 'Sin imagen',
  'create.picture_kept': 'Con tu imagen',
  'create.picture_own': 'Con tus propios metadatos',
  'create.review_metadata': 'Metadatos {uri}',
  'create.cost':
    'Depósito de cuentas {rent} · programa de metadatos {metadata}\nComisión de creación {platform} · red {network} como mucho\n<b>En total {total} como mucho</b>',
  'create.two': 'Lleva dos transacciones, una tras otra; confirmas una vez.',
  'create.wallet': 'Cartera {wallet}: {sol}',
  'create.short': '<b>Faltan {sol}.</b> Deposítalo, y elige Cambiar y Revisar.',
  'create.buyers_see': '<b>Lo que verán los compradores</b>',
  'btn.make_tradable': 'Abrirle mercado',
  'btn.launch_instead': 'Mejor lanzarlo',
  'btn.launch_new': 'Lanzar uno nuevo',
  'create.no_market':
    'Recibes toda la cantidad. Nadie puede comprarlo ni venderlo hasta que alguien le abra un mercado.',
  'create.no_market_or_launch':
    'Recibes toda la cantidad. Nadie puede comprarlo ni venderlo hasta que alguien le abra un mercado. Un token que se <b>lanza</b> se vende desde su primer minuto; uno ya creado no se puede lanzar después.',
  'create.market':
    '<b>Abrirle mercado</b>\nEste token aún no tiene mercado. Un mercado es un fondo en un exchange, con algo del token y algo de SOL. Este servicio no puede abrirlo: retira los tokens a una cartera tuya y abre el fondo en un exchange como Raydium o Meteora. En cuanto exista, el token se negocia aquí.',
  'create.market_or_launch':
    '<b>Abrirle mercado</b>\nEste token aún no tiene mercado. Un mercado es un fondo en un exchange, con algo del token y algo de SOL. Este servicio no puede abrirlo: retira los tokens a una cartera tuya y abre el fondo en un exchange como Raydium o Meteora. En cuanto exista, el token se negocia aquí.\n\nUn token <b>lanzado</b> no necesita nada de esto: se vende desde el primer minuto. Pero se hace de nuevo; este se queda como está.',
  'create.final': 'Una vez creado no se puede deshacer.',
  'create.refused': '<b>Eso aún no cuadra:</b>',
  'create.edit': '¿Qué debe cambiar en {symbol}?',
  'create.field.type': 'Tipo',
  'create.field.symbol': 'Símbolo',
  'create.field.name': 'Nombre',
  'create.field.picture': 'Imagen',
  'create.field.description': 'Descripción',
  'create.field.links': 'Enlaces',
  'create.field.decimals': 'Decimales',
  'create.field.supply': 'Cantidad',
  'create.field.to': 'Quién los recibe',
  'create.field.powers': 'Poderes',
  'create.share_text': '{symbol} en Solana: su pasaporte y su ficha',

  'btn.launch_wizard': 'Mejor lanzarlo',
  'btn.launch': 'Lanzar',
  'btn.no_first_buy': 'Sin primera compra',
  'btn.change_first_buy': 'Cambiar la primera compra',
  'launch.ask_pad':
    '<b>Lanzamiento</b>\nUna plataforma crea el token y lo vende enseguida, a un precio que sube con cada compra; nadie conserva un poder sobre él. ¿Cuál?',
  'launch.ask_first_buy':
    'Tu propia primera compra, en la misma transacción, en SOL: un importe como 0,2, o ninguna.',
  'launch.title':
    '<b>Lanzar {symbol}</b> · {name} en {pad}\n{supply} tokens, a la venta enseguida a un precio que sube',
  'launch.cost':
    'Plataforma y depósitos {pad} como mucho\nComisión del servicio {platform} · red {network} como mucho\nTu primera compra {buy}\n<b>En total {total} como mucho</b>',
  'launch.first_buy': 'Primera compra: unos {quoted} {symbol}, al menos {minimum} (deslizamiento {slippage})',
  'launch.short': '<b>Faltan {sol}.</b> Deposítalo, o cambia la primera compra.',
  'launch.most': 'Ahora se puede una primera compra de {sol} o menos.',
  'launch.final': 'Esto va a la cadena y no se puede deshacer.',

  'revoke.none': 'Aún no has creado ningún token aquí. /create_token crea uno.',
  'revoke.list': '<b>Tus tokens</b>\nElige uno para ver lo que aún tienes sobre él.',
  'revoke.title':
    '<b>{symbol}</b> · poderes que tienes\n{mint}\n\nLos compradores confían más en un token que nadie puede cambiar. El mejor orden: crear más, congelar, metadatos. Conserva la autoridad de congelar si las cuentas nacen congeladas, o los tenedores quedan bloqueados para siempre.',
  'revoke.held': '• {authority}: <b>lo tienes tú</b>',
  'revoke.never': '• {authority}: renunciado desde {at}\n  {signature}',
  'revoke.all_gone': 'Los tres se han ido. Nadie puede recuperarlos.',
  'revoke.ask':
    '<b>¿Renunciar al {authority} de {symbol}?</b>\n{meaning}\n\nComisión de red {fee} como mucho. No se puede deshacer: nadie, ni tú, podrá volver a tenerlo.',
  'revoke.means.freeze': 'Nadie podrá ya congelar a los tenedores.',
  'revoke.means.mint': 'La cantidad no podrá crecer jamás.',
  'revoke.means.update': 'Nombre, símbolo e imagen quedan para siempre como están.',
  'revoke.reminder':
    'Hace un día creaste {symbol}. Aún tienes: {authorities}. Renunciar hace que los compradores confíen más.',
  'launch.err.large_buy':
    'En {pad}, el nombre, el enlace y la primera compra juntos son más de lo que cabe en una transacción. Lanza sin primera compra y compra justo después, o da un enlace de metadatos propio de {bytes} letras como mucho.',
  'launch.err.large':
    'En {pad}, el nombre y el enlace juntos son más de lo que cabe en una transacción. Da un enlace de metadatos propio de {bytes} letras como mucho.',
  'create.review_title': '<b>{symbol}</b> · {name}',
  'create.review_description': '{description}',
  'create.review_links': '{links}',
} as const satisfies Catalogue;
