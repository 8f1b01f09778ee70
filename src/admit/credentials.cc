// Facts about the formats are public: prefixes, alphabets and lengths as their makers document them
// or as everybody can see them. A pattern takes as many characters as fit, so that a longer form of
// the same kind leaves no tail behind.
//
// Rows are tried in this order; where two find the same text, the earlier one names it.
#include "admit/credentials.h"

#include <array>

namespace airlock {

namespace {

constexpr std::array kKinds = {
    // Clouds: Amazon.
    CredentialKind{"aws_access_key_id", "akia asia abia acca",
                   R"re((?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16,})re", "AKIA{U16}"},
    CredentialKind{"aws_secret_access_key", "aws",
                   R"re((?i)aws.{0,24}?(?:secret|key).{0,24}?[=:"\s]{1,4}([0-9A-Za-z/+]{40,}))re",
                   "aws_secret_access_key = {b40}"},
    CredentialKind{"aws_session_token", "aws_session_token",
                   R"re((?i)aws_session_token["\s]{0,3}[=:]["\s]{0,3}([0-9A-Za-z/+=]{100,}))re",
                   "aws_session_token={b100}"},
    CredentialKind{"aws_bedrock_key", "absk", R"re(ABSK[0-9A-Za-z+/]{100,}={0,2})re", "ABSK{b100}"},
    CredentialKind{"aws_mws_key", "amzn.mws",
                   R"re(amzn\.mws\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})re",
                   "amzn.mws.{x8}-{x4}-{x4}-{x4}-{x12}"},
    // Where source code lives.
    CredentialKind{"github_personal_token", "ghp_", R"re(ghp_[0-9A-Za-z]{36,})re", "ghp_{A36}"},
    CredentialKind{"github_oauth_token", "gho_", R"re(gho_[0-9A-Za-z]{36,})re", "gho_{A36}"},
    CredentialKind{"github_app_token", "ghu_ ghs_", R"re(gh[us]_[0-9A-Za-z]{36,})re", "ghs_{A36}"},
    CredentialKind{"github_refresh_token", "ghr_", R"re(ghr_[0-9A-Za-z]{36,})re", "ghr_{A36}"},
    CredentialKind{"github_fine_grained_token", "github_pat_",
                   R"re(github_pat_[0-9A-Za-z_]{60,})re", "github_pat_{A60}"},
    CredentialKind{"gitlab_personal_token", "glpat-", R"re(glpat-[0-9A-Za-z_.-]{20,})re",
                   "glpat-{w20}"},
    CredentialKind{"gitlab_pipeline_trigger", "glptt-", R"re(glptt-[0-9a-f]{40,})re",
                   "glptt-{x40}"},
    CredentialKind{"gitlab_runner_token", "glrt- gr1348941",
                   R"re((?:glrt-|GR1348941)[0-9A-Za-z_-]{20,})re", "glrt-{w20}"},
    CredentialKind{"gitlab_deploy_token", "gldt-", R"re(gldt-[0-9A-Za-z_-]{20,})re", "gldt-{w20}"},
    CredentialKind{"gitlab_job_token", "glcbt-", R"re(glcbt-[0-9A-Za-z_-]{20,})re", "glcbt-{w20}"},
    CredentialKind{"gitlab_feed_token", "glft- glimt- glagent- gloas- glsoat- glffct-",
                   R"re((?:glft|glimt|glagent|gloas|glsoat|glffct)-[0-9A-Za-z_-]{20,})re",
                   "glft-{w20}"},
    CredentialKind{"bitbucket_app_password", "atbb", R"re(ATBB[0-9A-Za-z]{32,})re", "ATBB{A32}"},
    CredentialKind{"atlassian_api_token", "atatt3", R"re(ATATT3[0-9A-Za-z_=-]{60,})re",
                   "ATATT3{w60}"},
    // Chat and its webhooks.
    CredentialKind{"slack_token", "xox", R"re(xox[abeoprs]-[0-9A-Za-z-]{10,})re", "xoxb-{d10}"},
    CredentialKind{"slack_app_token", "xapp-",
                   R"re(xapp-[0-9]-[0-9A-Za-z]{6,}-[0-9]{6,}-[0-9A-Za-z]{16,})re",
                   "xapp-1-{U6}-{d6}-{L16}"},
    CredentialKind{"slack_configuration_token", "xoxe.",
                   R"re(xoxe\.xox[bp]-[0-9]-[0-9A-Za-z]{40,})re", "xoxe.xoxp-1-{A40}"},
    CredentialKind{"slack_webhook", "hooks.slack.com",
                   R"re(hooks\.slack\.com/(?:services|workflows|triggers)/([0-9A-Za-z/_-]{20,}))re",
                   "https://hooks.slack.com/services/{U20}"},
    CredentialKind{"discord_webhook", "discord",
                   R"re(discord(?:app)?\.com/api/webhooks/([0-9]{17,}/[0-9A-Za-z_-]{40,}))re",
                   "https://discord.com/api/webhooks/{d17}/{w40}"},
    CredentialKind{
        "discord_bot_token", "discord bot ",
        R"re((?i:discord|bot ).{0,24}?([MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,}))re",
        "discord: M{w23}.{w6}.{w27}"},
    CredentialKind{"telegram_bot_token", ":aa", R"re([0-9]{8,10}:AA[0-9A-Za-z_-]{33,})re",
                   "{d8}:AA{w33}", 10, LeftBoundary::kWord},
    CredentialKind{"microsoft_teams_webhook", "webhook.office.com",
                   R"re(webhook\.office\.com/webhookb2/([0-9A-Za-z@/-]{80,}))re",
                   "https://x.webhook.office.com/webhookb2/{A80}"},
    // Payments and shops.
    CredentialKind{"stripe_key", "sk_live_ rk_live_ sk_test_ rk_test_ sk_prod_ rk_prod_",
                   R"re([rs]k_(?:live|test|prod)_[0-9A-Za-z]{16,})re", "sk_live_{A16}"},
    CredentialKind{"stripe_webhook_secret", "whsec_", R"re(whsec_[0-9A-Za-z+/=]{32,})re",
                   "whsec_{A32}"},
    CredentialKind{"square_token", "sq0", R"re(sq0[a-z]{3}-[0-9A-Za-z_-]{22,})re", "sq0atp-{w22}"},
    CredentialKind{"square_access_token", "eaaa", R"re(EAAA[0-9A-Za-z_-]{60,})re", "EAAA{w60}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"paypal_braintree_token", "access_token$",
                   R"re(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32,})re",
                   "access_token$production${L16}${x32}"},
    CredentialKind{"shopify_token", "shpat_ shpca_ shppa_ shpss_",
                   R"re(shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32,})re", "shpat_{x32}"},
    // Clouds: Google and Microsoft.
    CredentialKind{"google_api_key", "aiza", R"re(AIza[0-9A-Za-z_-]{35,})re", "AIza{w35}"},
    CredentialKind{"google_oauth_secret", "gocspx-", R"re(GOCSPX-[0-9A-Za-z_-]{28,})re",
                   "GOCSPX-{w28}"},
    CredentialKind{"google_oauth_access_token", "ya29.", R"re(ya29\.[0-9A-Za-z_-]{20,})re",
                   "ya29.{w20}"},
    CredentialKind{"google_refresh_token", "1//0", R"re(1//0[0-9A-Za-z_-]{30,})re", "1//0{w30}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"firebase_server_key", ":apa91b",
                   R"re(AAAA[0-9A-Za-z_-]{7}:APA91b[0-9A-Za-z_-]{100,})re", "AAAA{w7}:APA91b{w100}",
                   11},
    CredentialKind{"azure_storage_key", "accountkey=",
                   R"re((?i)AccountKey=([0-9A-Za-z+/]{86}==))re", "AccountKey={b86}=="},
    CredentialKind{"azure_shared_access_signature",
                   "sig=", R"re((?i)[?&]sig=([0-9A-Za-z%+/=]{43,}))re",
                   "https://x.blob.core.windows.net/c?sv=1&sig={A43}", 1},
    CredentialKind{"azure_shared_access_key", "sharedaccesskey=",
                   R"re((?i)SharedAccessKey=([0-9A-Za-z+/]{43}=))re", "SharedAccessKey={b43}="},
    CredentialKind{"azure_client_secret", "8q~ 7q~",
                   R"re([0-9A-Za-z_.-]{3}[78]Q~[0-9A-Za-z_~.-]{31,})re", "{A3}8Q~{A31}", 3},
    CredentialKind{"azure_devops_token", "azdo", R"re([0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4,})re",
                   "{A76}AZDO{A4}", 76},
    // Registries of packages.
    CredentialKind{"npm_token", "npm_", R"re(npm_[0-9A-Za-z]{36,})re", "npm_{A36}"},
    CredentialKind{"npmrc_auth", "_authtoken _auth",
                   R"re((?i)_auth(?:Token)?\s{0,3}=\s{0,3}"?([0-9A-Za-z+/=_-]{20,}))re",
                   "//registry.npmjs.org/:_authToken={A20}"},
    CredentialKind{"pypi_token", "pypi-age", R"re(pypi-AgE[0-9A-Za-z_-]{50,})re", "pypi-AgE{w50}"},
    CredentialKind{"rubygems_key", "rubygems_", R"re(rubygems_[0-9a-f]{48,})re", "rubygems_{x48}"},
    CredentialKind{"crates_io_token", "cio", R"re(cio[0-9A-Za-z]{32,})re", "cio{A32}", 0,
                   LeftBoundary::kWord, Guess::kUnguessable, 3.5},
    CredentialKind{"nuget_key", "oy2", R"re(oy2[a-z0-9]{43,})re", "oy2{L43}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"docker_token", "dckr_", R"re(dckr_(?:pat|oat)_[0-9A-Za-z_-]{27,})re",
                   "dckr_pat_{w27}"},
    CredentialKind{"jfrog_token", "akcp", R"re(AKCp[0-9A-Za-z]{60,})re", "AKCp{A60}"},
    CredentialKind{"clojars_token", "clojars_", R"re((?i)CLOJARS_[0-9a-z]{60,})re",
                   "CLOJARS_{L60}"},
    // Models and what is built on them.
    CredentialKind{"anthropic_key", "sk-ant-", R"re(sk-ant-[0-9a-z]{3,8}-[0-9A-Za-z_-]{32,})re",
                   "sk-ant-api03-{w32}"},
    CredentialKind{"openai_key", "sk-",
                   R"re(sk-(?:proj-|svcacct-|admin-|None-)?[0-9A-Za-z_-]{32,})re", "sk-{A32}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"huggingface_token", "hf_ api_org_", R"re((?:hf|api_org)_[A-Za-z0-9]{34,})re",
                   "hf_{A34}", 0, LeftBoundary::kWord},
    CredentialKind{"replicate_token", "r8_", R"re(r8_[0-9A-Za-z]{37,})re", "r8_{A37}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"groq_key", "gsk_", R"re(gsk_[0-9A-Za-z]{48,})re", "gsk_{A48}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"perplexity_key", "pplx-", R"re(pplx-[0-9A-Za-z]{40,})re", "pplx-{A40}"},
    CredentialKind{"xai_key", "xai-", R"re(xai-[0-9A-Za-z]{70,})re", "xai-{A70}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"langsmith_key", "lsv2_", R"re(lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10,})re",
                   "lsv2_pt_{x32}_{x10}"},
    CredentialKind{"pinecone_key", "pcsk_", R"re(pcsk_[0-9A-Za-z_]{50,})re", "pcsk_{A50}"},
    // Hosting, infrastructure and databases.
    CredentialKind{"digitalocean_token", "dop_v1_ doo_v1_ dor_v1_",
                   R"re(do[por]_v1_[0-9a-f]{64,})re", "dop_v1_{x64}"},
    CredentialKind{"heroku_key", "hrku-", R"re(HRKU-[0-9A-Za-z_-]{36,})re", "HRKU-{w36}"},
    CredentialKind{"fly_token", "fm1_ fm2_ fo1_",
                   R"re((?:FlyV1 )?f(?:m1r?|m2|o1)_[0-9A-Za-z+/=_-]{40,})re", "fo1_{w40}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"netlify_token", "nfp_ nfc_ nfo_ nfb_ nfu_", R"re(nf[bcopu]_[0-9A-Za-z]{36,})re",
                   "nfp_{A36}", 0, LeftBoundary::kWord},
    CredentialKind{"vercel_token", "vcp_ vci_ vca_ vcr_ vck_", R"re(vc[paikr]_[0-9A-Za-z]{24,})re",
                   "vcp_{A24}", 0, LeftBoundary::kWord},
    CredentialKind{"cloudflare_origin_ca_key", "v1.0-", R"re(v1\.0-[0-9a-f]{24}-[0-9a-f]{146,})re",
                   "v1.0-{x24}-{x146}"},
    CredentialKind{"cloudflare_token", "cloudflare",
                   R"re((?i)cloudflare.{0,20}?[=:"\s]{1,4}([0-9A-Za-z_-]{37,40}))re",
                   "CLOUDFLARE_API_KEY={A37}", 0, LeftBoundary::kAny, Guess::kUnguessable, 3.5},
    CredentialKind{"terraform_cloud_token", ".atlasv1.",
                   R"re([0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{60,})re", "{A14}.atlasv1.{w60}",
                   14},
    CredentialKind{"vault_token", "hvs. hvb. hvr.", R"re(hv[brs]\.[0-9A-Za-z_-]{24,})re",
                   "hvs.{w24}", 0, LeftBoundary::kWord},
    CredentialKind{"doppler_token", "dp.",
                   R"re(dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[0-9A-Za-z]{40,})re",
                   "dp.pt.{A40}", 0, LeftBoundary::kWord},
    CredentialKind{"pulumi_token", "pul-", R"re(pul-[0-9a-f]{40,})re", "pul-{x40}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"databricks_token", "dapi", R"re(dapi[0-9a-f]{32,}(?:-[0-9])?)re", "dapi{x32}"},
    CredentialKind{"snowflake_token", "ver:1-hint",
                   R"re(ver:1-hint:[0-9]{4,}-ETMs[0-9A-Za-z+/=]{40,})re",
                   "ver:1-hint:{d4}-ETMs{b40}"},
    CredentialKind{"planetscale_token", "pscale_",
                   R"re(pscale_(?:tkn|pw|oauth)_[0-9A-Za-z_.=-]{32,})re", "pscale_tkn_{w32}"},
    CredentialKind{"supabase_token", "sbp_", R"re(sbp_[0-9a-f]{40,})re", "sbp_{x40}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"supabase_secret_key", "sb_secret_", R"re(sb_secret_[0-9A-Za-z_-]{20,})re",
                   "sb_secret_{w20}", 0, LeftBoundary::kWord},
    CredentialKind{"mongodb_atlas_key", "mdb_sa_sk_", R"re(mdb_sa_sk_[0-9A-Za-z_-]{32,})re",
                   "mdb_sa_sk_{w32}"},
    // Mail and telephone.
    CredentialKind{"sendgrid_key", "sg.", R"re(SG\.[0-9A-Za-z_-]{20,24}\.[0-9A-Za-z_-]{39,})re",
                   "SG.{w20}.{w39}", 0, LeftBoundary::kWord},
    CredentialKind{"mailgun_key", "key-", R"re(key-[0-9a-f]{32,})re", "key-{x32}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"mailchimp_key", "-us", R"re([0-9a-f]{32}-us[0-9]{1,2})re", "{x32}-us1", 32,
                   LeftBoundary::kWord},
    CredentialKind{"brevo_key", "xkeysib- xsmtpsib-",
                   R"re(x(?:key|smtp)sib-[0-9a-f]{64}-[0-9A-Za-z]{16,})re", "xkeysib-{x64}-{A16}"},
    CredentialKind{"postman_key", "pmak-", R"re(PMAK-[0-9a-f]{24}-[0-9a-f]{34,})re",
                   "PMAK-{x24}-{x34}"},
    CredentialKind{"twilio_key",
                   "ac0 ac1 ac2 ac3 ac4 ac5 ac6 ac7 ac8 ac9 aca acb acc acd ace acf sk0 sk1 sk2 "
                   "sk3 sk4 sk5 sk6 sk7 sk8 sk9 ska skb skc skd ske skf",
                   R"re((?:AC|SK)[0-9a-f]{32})re", "SK{x32}", 0, LeftBoundary::kWord,
                   Guess::kUnguessable, 3.0},
    // Monitoring.
    CredentialKind{"datadog_key", "datadog dd_",
                   R"re((?i)(?:datadog|dd)_.{0,16}?key.{0,4}?[=:"\s]{1,4}([0-9a-f]{32,40}))re",
                   "DD_API_KEY={x32}"},
    CredentialKind{"new_relic_key", "nrak- nraa- nrii- nrjs- nrbr-",
                   R"re(NR(?:AK|AA|II|JS|BR|RA)-[0-9A-Za-z_-]{19,})re", "NRAK-{U19}"},
    CredentialKind{"grafana_cloud_token", "glc_", R"re(glc_[0-9A-Za-z+/=]{32,})re", "glc_{A32}"},
    CredentialKind{"grafana_service_token", "glsa_", R"re(glsa_[0-9A-Za-z]{32,}_[0-9A-Fa-f]{8,})re",
                   "glsa_{A32}_{x8}"},
    CredentialKind{"grafana_api_key", "eyjrijoi", R"re(eyJrIjoi[0-9A-Za-z+/=_-]{40,})re",
                   "eyJrIjoi{w40}"},
    CredentialKind{"sentry_user_token", "sntryu_", R"re(sntryu_[0-9a-f]{64,})re", "sntryu_{x64}"},
    CredentialKind{"sentry_org_token", "sntrys_", R"re(sntrys_eyJ[0-9A-Za-z+/=_-]{40,})re",
                   "sntrys_eyJ{w40}"},
    CredentialKind{"dynatrace_token",
                   "dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.",
                   R"re(dt0[cs][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64,})re", "dt0c01.{U24}.{U64}"},
    // Tools of teams, social networks and the rest.
    CredentialKind{"linear_key", "lin_api_ lin_oauth_", R"re(lin_(?:api|oauth)_[0-9A-Za-z]{40,})re",
                   "lin_api_{A40}"},
    CredentialKind{"notion_token", "ntn_", R"re(ntn_[0-9]{11}[0-9A-Za-z]{32,})re", "ntn_{d11}{A32}",
                   0, LeftBoundary::kWord},
    CredentialKind{"notion_integration_secret", "secret_", R"re(secret_[0-9A-Za-z]{43,})re",
                   "secret_{A43}", 0, LeftBoundary::kWord},
    CredentialKind{"figma_token", "figd_ figu_", R"re(fig[du]_[0-9A-Za-z_-]{36,})re", "figd_{w36}"},
    CredentialKind{"airtable_token", "pat", R"re(pat[0-9A-Za-z]{14}\.[0-9a-f]{64,})re",
                   "pat{A14}.{x64}", 0, LeftBoundary::kWord},
    CredentialKind{"asana_token", "0/1 1/1 2/1", R"re([0-2]/1[0-9]{15,}:[0-9a-f]{32,})re",
                   "1/1{d15}:{x32}", 0, LeftBoundary::kWord},
    CredentialKind{"contentful_token", "cfpat-", R"re(CFPAT-[0-9A-Za-z_-]{43,})re", "CFPAT-{w43}"},
    CredentialKind{"facebook_token", "eaa", R"re(EAA[0-9A-Za-z]{90,})re", "EAA{A90}", 0,
                   LeftBoundary::kWord},
    CredentialKind{"twitter_bearer", "aaaaaaaaaaaaaaaaaaaa", R"re(A{20,22}[0-9A-Za-z%]{60,})re",
                   "AAAAAAAAAAAAAAAAAAAA{A60}", 0, LeftBoundary::kWord},
    CredentialKind{"easypost_key", "ezak ezta eztk", R"re(EZ[AT]K[0-9A-Za-z]{54,})re", "EZAK{A54}"},
    CredentialKind{"sonarqube_token", "sqp_ squ_ sqa_", R"re(sq[pua]_[0-9a-f]{40,})re", "squ_{x40}",
                   0, LeftBoundary::kWord},
    CredentialKind{"tailscale_key", "tskey-",
                   R"re(tskey-[a-z]+-[0-9A-Za-z_]{10,}-[0-9A-Za-z_]{18,})re",
                   "tskey-auth-{A10}-{A18}"},
    CredentialKind{"buildkite_token", "bkua_ bkat_ bkct_", R"re(bk(?:ua|at|ct)_[0-9a-f]{40,})re",
                   "bkua_{x40}"},
    CredentialKind{"circleci_token", "ccipat_ cciprj_",
                   R"re(cci(?:pat|prj)_[0-9A-Za-z]{20,}_[0-9a-f]{40,})re", "ccipat_{A20}_{x40}"},
    CredentialKind{"artifactory_reference_token", "cmvmdgtu", R"re(cmVmdGtu[0-9A-Za-z]{48,})re",
                   "cmVmdGtu{A48}"},
    // Formats that many makers share: keys, tokens, headers, URLs.
    CredentialKind{"age_secret_key", "age-secret-key-1", R"re(AGE-SECRET-KEY-1[0-9A-Z]{58,})re",
                   "AGE-SECRET-KEY-1{U58}"},
    CredentialKind{"putty_private_key", "private-lines",
                   R"re(Private-Lines: [0-9]+\s+([0-9A-Za-z+/=\s]{40,}))re",
                   "Private-Lines: 1\n{b40}"},
    CredentialKind{"json_web_token", "eyj",
                   R"re(eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,})re",
                   "eyJ{w10}.eyJ{w10}.{w10}"},
    CredentialKind{
        "json_web_encryption", "eyj",
        R"re(eyJ[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]*\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,}\.[0-9A-Za-z_-]{10,})re",
        "eyJ{w10}..{w10}.{w10}.{w10}"},
    CredentialKind{
        "pem_private_key", "-----begin",
        R"re((?s)-----BEGIN[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:.*?-----END[ A-Z0-9]{0,40}PRIVATE KEY(?: BLOCK)?-----|.*))re",
        "-----BEGIN RSA PRIVATE KEY-----"},
    CredentialKind{"url_password", "://",
                   R"re([A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@"'<>]{0,64}:([^\s/@"'<>]{3,128})@)re",
                   "postgres://ann:{A3}@db.example.com/x", 22, LeftBoundary::kAny, Guess::kLikely},
    CredentialKind{"authorization_bearer", "bearer",
                   R"re((?i)\bbearer[\s:=]{1,3}"?([0-9A-Za-z_.~+/=-]{16,}))re",
                   "Authorization: Bearer {A16}", 0, LeftBoundary::kAny, Guess::kUnguessable, 3.0},
    CredentialKind{
        "authorization_basic", "authorization",
        R"re((?i)authorization["']?\s{0,2}[:=]\s{0,2}["']?basic\s{1,3}([0-9A-Za-z+/=]{12,}))re",
        "Authorization: Basic {b12}", 0, LeftBoundary::kAny, Guess::kLikely, 2.5},
    CredentialKind{
        "assigned_secret",
        "secret token passw passphrase pwd api_key apikey api-key access_key access-key accesskey "
        "credential",
        R"re((?i)(?:secret|token|passwd|password|passphrase|pwd|api[_-]?key|access[_-]?key|credential)[0-9a-z_-]{0,24}["']?\s{0,2}(?::=|=>|=)\s{0,2}["']?([^\s"'`<>,;&(){}\[\]\\$%]{8,200})(?:[\s"'`,;&)}\]]|$))re",
        "DB_PASSWORD={A8}", 0, LeftBoundary::kAny, Guess::kLikely, 2.0},
    CredentialKind{
        "assigned_quoted_secret",
        "secret token passw passphrase pwd api_key apikey api-key access_key access-key accesskey "
        "credential",
        R"re((?i)(?:secret|token|passwd|password|passphrase|pwd|api[_-]?key|access[_-]?key|credential)[0-9a-z_-]{0,24}["']?\s{0,2}:\s{0,2}["']([^\s"'`<>]{8,200})["'])re",
        "db_password: \"{A8}\"", 0, LeftBoundary::kAny, Guess::kLikely, 2.0},
    CredentialKind{
        "assigned_plain_secret",
        "secret token passw passphrase pwd api_key apikey api-key access_key access-key accesskey "
        "credential",
        R"re((?i)(?:secret|token|passwd|password|passphrase|pwd|api[_-]?key|access[_-]?key|credential)[0-9a-z_-]{0,24}["']?\s{0,2}:\s{1,2}([A-Za-z_][^\s"'`<>,;&(){}\[\]\\$%]{0,100}?[0-9][^\s"'`<>,;&(){}\[\]\\$%]{0,100})(?:[\s,;)}\]]|$))re",
        "db_password: correcthorse{d1}", 0, LeftBoundary::kAny, Guess::kLikely, 2.7},
    CredentialKind{"netrc_password", "machine",
                   R"re((?i)machine\s+\S{1,100}\s+login\s+\S{1,100}\s+password\s+([^\s<>]{3,}))re",
                   "machine example.com login ann password {A3}", 0, LeftBoundary::kAny,
                   Guess::kLikely},
    CredentialKind{
        "curl_user_password", "curl",
        R"re(curl\s.{0,200}?(?:-u|--user)[\s=]{1,2}["']?[^\s:"']{1,64}:([^\s"'<>]{3,}))re",
        "curl -u ann:{A3} https://example.com", 0, LeftBoundary::kAny, Guess::kLikely},
};

// The classes of a recipe, as credentials.h lists them.
std::string_view alphabet(char name) {
  switch (name) {
    case 'A':
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    case 'U':
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    case 'L':
      return "abcdefghijklmnopqrstuvwxyz0123456789";
    case 'x':
      return "0123456789abcdef";
    case 'X':
      return "0123456789ABCDEF";
    case 'd':
      return "0123456789";
    case 'w':
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    default:
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  }
}

// Sebastiano Vigna's splitmix64: small, and the same everywhere, so an example has one form for
// good.
std::uint64_t next(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

}  // namespace

std::span<const CredentialKind> all_credential_kinds() {
  return kKinds;
}

std::string make_example(std::string_view recipe, std::uint64_t number) {
  std::string text;
  std::uint64_t state = number;
  while (!recipe.empty()) {
    const std::size_t end = recipe[0] == '{' ? recipe.find('}') : std::string_view::npos;
    if (end == std::string_view::npos) {
      text += recipe[0];
      recipe.remove_prefix(1);
      continue;
    }
    // {A16}: the class, then how many.
    std::size_t count = 0;
    for (const char digit : recipe.substr(2, end - 2))
      count = 10 * count + static_cast<std::size_t>(digit - '0');
    const std::string_view letters = alphabet(recipe[1]);
    for (; count > 0; --count) text += letters[next(state) % letters.size()];
    recipe.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace airlock
