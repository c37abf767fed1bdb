-- What Neovim does with xas-lsp: started by tests/lsp/neovim.sh with a.s in its buffer.
local passed, failed = 0, 0
local function check(what, got, wanted)
  if vim.deep_equal(got, wanted) then
    passed = passed + 1
  else
    failed = failed + 1
    print(string.format('%s: %s, not %s', what, vim.inspect(got), vim.inspect(wanted)))
  end
end

local client = vim.lsp.start_client({ name = 'xas', cmd = { os.getenv('XAS_LSP') }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
vim.wait(10000, function() return vim.lsp.get_client_by_id(client).initialized end)
vim.wait(2000, function() return #vim.diagnostic.get(0) > 0 end)

-- An undefined symbol is no mistake; a wrong word is one.
check('diagnostics', #vim.diagnostic.get(0), 0)
vim.api.nvim_buf_set_lines(0, 2, 3, false, { '\tmovk\t$1, %eax' })
vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end)
local wrong = vim.diagnostic.get(0)[1] or {}
check('place of a diagnostic', { wrong.lnum, wrong.col }, { 2, 1 })
vim.api.nvim_buf_set_lines(0, 2, 4, false, { '\tmovl\t$1, %eax', '\tjmp\tsecond' })
vim.wait(10000, function() return #vim.diagnostic.get(0) == 0 end)
check('the mistake is mended', #vim.diagnostic.get(0), 0)

local function ask(method, line, column, more)
  vim.api.nvim_win_set_cursor(0, { line, column })
  local parameters = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, 'utf-16'), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, parameters, 10000) or {}
  return (answers[client] or {}).result
end

local hover = ask('textDocument/hover', 3, 2)
check('hover', hover and hover.contents.value:find('b8 01 00 00 00', 1, true) ~= nil, true)
local items = ask('textDocument/completion', 4, 4)
check('completion', items and items.items[1].label, 'jmp')

vim.api.nvim_win_set_cursor(0, { 4, 6 })
vim.lsp.buf.definition()
vim.wait(10000, function() return vim.api.nvim_win_get_cursor(0)[1] == 5 end)
check('go to the definition', vim.api.nvim_win_get_cursor(0), { 5, 0 })

vim.lsp.buf.rename('last')
vim.wait(10000, function() return vim.api.nvim_buf_get_lines(0, 4, 5, false)[1]:find('^last') ~= nil end)
check('rename', vim.api.nvim_buf_get_lines(0, 3, 5, false), { '\tjmp\tlast', 'last:\tret' })

local uses = ask('textDocument/references', 2, 1, { context = { includeDeclaration = true } })
check('references', uses and #uses, 2)
local everything = { start = { line = 0, character = 0 }, ['end'] = { line = 100, character = 0 } }
local hints = ask('textDocument/inlayHint', 1, 0, { range = everything })
check('bytes', hints and #hints, 4)

vim.lsp.stop_client(client)
print(string.format('%d passed, %d failed', passed, failed))
vim.cmd('qall!')
