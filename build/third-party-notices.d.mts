import type { Plugin } from 'rolldown'

export function thirdPartyNotices(fileName: string): Plugin
