import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { testOwnServers } from './own-servers.js'

testOwnServers('MSW 2', { http, HttpResponse, setupServer })
