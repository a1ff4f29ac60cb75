import type { Plugin } from 'rolldown'

export function thirdPartyNotices(fileName: string, folders?: readonly string[]): Plugin
export function billOf(components: readonly { readonly purl: string }[]): string
export const billFile: string
