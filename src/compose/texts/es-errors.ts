import type { Catalogue } from './catalogue.ts';

/** Negativas: qué está mal y qué hacer. Una o dos frases cada una. */
export const esErrors = {
  'err.address':
    '«{given}» no es una dirección de Solana. Se esperan de 32 a 44 letras y cifras, sin 0, O, I ni l.',
  'err.amount_nan': '«{given}» no es una cantidad. Se espera un número como 0,5.',
  'err.amount_ambiguous': '«{given}» se puede leer de dos maneras. Escribe {whole} o {point}.',
  'err.amount_negative': 'Una cantidad no puede ser negativa. Se espera un número como 0,5.',
  'err.amount_zero': 'La cantidad debe ser mayor que cero.',
  'err.amount_decimals': '«{given}» tiene demasiados decimales: aquí como máximo {decimals}.',
  'err.amount_large': '«{given}» es más de lo que existe. Revísalo, por favor.',
  'err.percent_large': '«{given}» es más que el total. Una parte es como máximo 100 %.',
  'err.text': 'El nombre de una cartera debe tener de {min} a {max} caracteres.',
  'err.bps': 'El campo {field} debe estar entre {min} y {max}.',
  'err.user': 'Aún no te conozco. Envía /start, por favor.',
  'err.wallet_required': 'Crea primero tu cartera de depósito.',
  'err.wallet_not_found': 'Esa cartera ya no está.',
  'err.wallet_limit': 'Ya tienes las {max} carteras. Borra una primero.',
  'err.wallet_name': 'Otra de tus carteras se llama {name}. Elige otro nombre, por favor.',
  'err.name_reserved_look-alike':
    '{name} se parece a {like}, otra cartera tuya. Elige un nombre más distinto, por favor.',
  'err.name_reserved_deleted':
    '{name} se parece a {like}, una cartera que borraste hace menos de {days} días. Elige otro nombre, por favor.',
  'err.name_reserved_renamed':
    '{name} se parece a {like}, el nombre que otra cartera tuya tenía hace menos de {days} días. Elige otro nombre, por favor.',
  'err.name_reserved_imported':
    '{name} se parece a {like}, y ninguna cartera importada puede llamarse así. Elige otro nombre, por favor.',
  'err.wallet_not_empty':
    '{name} aún tiene {sol} y {tokens}. Retira primero, o escribe su nombre para borrarla de todos modos.',
  'err.wallet_busy':
    '{name} aún tiene transacciones en curso ({count}). Espera a que sean finales, por favor.',
  'err.wallet_active': '{name} es tu cartera activa. Cambia primero a otra.',
  'err.lamports':
    'No hay bastante SOL: hacen falta {needed} ({amount} + {fees} de comisiones y depósitos de cuentas), hay {available}.',
  'err.most': 'Ahora se puede: {most} o menos.',
  'err.tokens': 'No hay bastantes tokens: hacen falta {needed}, hay {available}.',
  'err.tokens_apart':
    'Tus {together} están en varias cuentas del token, y una venta toma de una sola. Escribe {available} o menos y vende después el resto.',
  'err.rent_left':
    'Eso dejaría {left} en la cartera, y la red permite 0 o al menos {minimum}. Retira hasta {max_amount}, o todo con max.',
  'err.rent_all':
    'Eso dejaría {left} en la cartera, y la red permite 0 o al menos {minimum}. Retira todo con max.',
  'err.rent_deposit':
    'Eso dejaría {left} en la cartera, y la red permite 0 o al menos {minimum}. Deposita antes {missing}.',
  'err.rent_recipient':
    'El destinatario tendría {would_hold}, y la red rechaza cuentas de menos de {minimum}. Envía más, por favor.',
  'err.self': 'Esa es esta misma cartera. Da otra dirección, por favor.',
  'err.is_mint': 'Esa es la dirección de un token, no de una cartera. Lo que se envíe allí se pierde.',
  'err.is_token_account': 'Esa es una cuenta de token. Envía a su dueño: {owner}',
  'err.is_program': 'Eso es un programa, no una cartera. Lo que se envíe allí se pierde.',
  'err.off_curve':
    'Nadie tiene una clave de esa dirección: es de un programa. Da la dirección de una cartera, por favor.',
  'err.recipient_other_owner':
    'La cuenta del destinatario para este token es ahora de otra persona: no recibiría los tokens. Pide otra dirección.',
  'err.recipient_frozen':
    'El emisor del token congeló la cuenta del destinatario: no se le puede enviar nada.',
  'err.recipient_frozen_new':
    'Las cuentas nuevas de este token están congeladas hasta que el emisor las abra, y el destinatario no tiene ninguna. No se puede enviar.',
  'err.recipient_memo':
    'La cuenta del destinatario solo acepta envíos con una nota propia, como piden los mercados, y los nuestros no la llevan ahí. Pide otra dirección.',
  'err.recipient_private':
    'La cuenta del destinatario solo acepta envíos confidenciales de este token. Pide otra dirección.',
  'err.token_not_found': 'No hay ningún token en esa dirección. Revísala, o pega la dirección del token.',
  'err.token_unnamed':
    'Aquí no se conoce ningún token llamado «{text}». Envía nombre, $SÍMBOLO, dirección o enlace.',
  'err.token_account_not_mint': 'Esa es una cuenta que guarda un token. El token mismo es {mint}',
  'err.token_paused': 'El emisor de este token lo ha pausado: ahora no se puede enviar ni negociar.',
  'err.token_hook':
    'Cada transferencia de este token ejecuta un programa de su emisor, que este servicio no puede llamar: aquí no se puede enviar ni negociar.',
  'err.token_frozen':
    'El emisor congeló la cuenta de este token en esta cartera: no puede entrar ni salir nada.',
  'err.token_forbidden': 'Este token no se puede transferir: su autor lo prohibió.',
  'err.same_token': 'Eso es SOL mismo: con él se paga. Envía la dirección de otro token.',
  'err.no_route': 'Ahora ningún mercado cambia este par.',
  'err.searching': 'Buscando dónde se negocia este token… Vuelve a pedirlo en unos segundos.',
  'err.venues_unreachable':
    'Ningún mercado de los que respondieron cambia este par, y a estos no se les pudo preguntar: {venues}. Prueba de nuevo en un momento, por favor.',
  'err.liquidity': 'Los mercados no tienen bastante para esta cantidad. Prueba con menos, por favor.',
  'err.above_depth': 'Los mercados aceptan como máximo {maximum} de una vez.',
  'err.route_too_large': 'El camino a este token no cabe en una transacción. Prueba con otro par, por favor.',
  'err.dust': 'Es tan poco que no volvería nada. Prueba con más, por favor.',
  'err.dust_minimum': 'Es demasiado poco. Prueba con al menos {minimum}.',
  'err.impact':
    'Esta operación movería el precio un {impact}, y por encima de {max} no se hace. Prueba con menos, por favor.',
  'err.moved': 'El precio se movió. No se cambió nada y no se envió nada.',
  'err.simulation':
    'La red rechazaría esta transacción, así que no se envió. Pide otra cotización, por favor.',
  'err.policy':
    'Las reglas de seguridad se negaron a firmar esto: {rule}. No se envió nada. Dile al operador el id y esa palabra, por favor.',
  'err.switched_off': '{pause} No se envió nada. Tus fondos no se tocan.',
  'err.paused': 'El operador lo ha pausado por ahora. No se envió nada. Tus fondos no se tocan.',
  'err.intent': 'No se encontró esa transacción.',
  'err.stale': 'Este botón es antiguo o ya se usó.',
  'err.referral': 'Abre primero tu cuenta de referidos: /referral',
  'err.chain': 'La red no responde ahora. No se envió nada. Prueba de nuevo en un momento.',
  'err.send_unknown':
    'Aún no se sabe el resultado. No lo repitas: lo estamos comprobando y te lo diremos aquí.',
  'err.storage':
    'El servicio no llega ahora a sus registros. No se envió nada. Prueba de nuevo en un momento.',
  'err.no_orders': 'Ahora no podemos aceptar órdenes. No se ha cambiado nada tuyo.',
  'err.row':
    'No se puede leer un registro guardado. No se firmó nada y no se perdió nada; el operador ya sabe qué reparar.',
  'err.row_forged':
    'Nos hemos detenido: un registro de tu cuenta no está como lo escribió el servicio. Nada se mueve y el operador lo sabe.',
  'err.journal':
    'El servicio no puede anotar lo que firma, así que no firma nada. No se envió nada. Dile el id al operador, por favor.',
  'err.fenced':
    'Estamos revisando nuestros libros tras un fallo. Hasta entonces no se firma nada. Tu dinero está donde estaba.',
  'err.undecided':
    'Un intento anterior aún no está decidido. Hasta entonces no se firma otro. Te lo diremos aquí.',
  'err.too_old': 'Esta petición tiene más de {days} días y ya no se firma. Pídelo de nuevo, por favor.',
  'err.keys':
    'El servicio no puede abrir ahora su almacén de claves. No se envió nada. Dile el id al operador, por favor.',
  'err.config': 'El servicio no está configurado del todo. Dile el id al operador, por favor.',
  'err.meta_long':
    '{field}: demasiado largo, como mucho {max} letras sencillas. Un acento cuenta como 2, casi todo emoji como 4.',
  'err.meta_link': '{field}: no es un enlace. Se espera una dirección completa como https://example.org.',
  'err.meta_many': '{field}: hay demasiadas. Como mucho {max}, separadas por comas.',
  'err.meta_control': '{field}: contiene caracteres invisibles. Escríbelo de nuevo, por favor.',
  'err.public_url':
    'Este servicio no tiene una dirección pública donde guardar descripciones e imágenes. Da tu propio enlace de metadatos, o pide al operador que la ponga.',
  'err.launchpad': 'Esa plataforma no acepta lanzamientos desde aquí en este momento. Elige otra, por favor.',
  'err.metadata_full':
    'Ahora mismo no hay sitio para más imágenes. Usa un enlace propio a tu imagen, o ninguna.',
  'err.pinning':
    'El almacén de archivos no respondió. No se creó nada ni se pagó nada. Prueba otra vez, por favor.',
  'err.picture_format': 'Esa imagen no me sirve. Envía un JPEG, PNG, WebP o GIF, por favor.',
  'err.picture_broken': 'Esa imagen está dañada. Envía otra, por favor.',
  'err.picture_pixels': 'Esa imagen tiene demasiados píxeles. Envía una más pequeña, por favor.',
  'err.picture_large': 'Esa imagen es demasiado grande. Como mucho {max} MB, por favor.',
} as const satisfies Catalogue;
