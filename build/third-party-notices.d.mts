import type { Plugin } from 'rolldown'

export function thirdPartyNotices(fileName: string, folders?: readonly string[]): Plugin
