/**
 * The letters of the bytes above ASCII in the code pages of DOS, in which old programs still write mail. TextDecoder has
 * none of them but 866.
 */
const western =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'
const american =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const central =
  'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0'

const firstLetter = 0x80

const pages: ReadonlyMap<string, string> = new Map([
  ['cp437', american],
  ['cp850', western],
  ['cp852', central],
  // Like 850, with a euro instead of the dotless i
  ['cp858', western.replace('ı', '€')],
])

/** Returns the code page that a label names, without its prefix; undefined for any other charset. */
export function dosPageNamed(label: string): string | undefined {
  const name = label.replace(/^(?:ibm|dos|pc|cp)?0*/, 'cp')
  return pages.has(name) ? name : undefined
}

/** Decodes the bytes of a text in a code page; undefined if the name is that of another charset. */
export function decodeDosPage(name: string, bytes: Uint8Array): string | undefined {
  const letters = pages.get(name)
  if (letters === undefined) return undefined
  const units = Uint16Array.from(bytes, (byte) => {
    return byte < firstLetter ? byte : letters.charCodeAt(byte - firstLetter)
  })
  return new TextDecoder('utf-16le').decode(units)
}
