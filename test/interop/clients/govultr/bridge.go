// A bridge to govultr as Debian packages it: one JSON call a line in, one JSON line out.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/vultr/govultr"
)

type call struct {
	Call   string      `json:"call"`
	Domain string      `json:"domain"`
	IP     string      `json:"ip"`
	State  string      `json:"state"`
	ID     string      `json:"id"`
	Record record      `json:"record"`
	Soa    govultr.Soa `json:"soa"`
	Signed bool        `json:"signed"`
}

type record struct {
	ID       string `json:"id,omitempty"`
	Type     string `json:"type"`
	Name     string `json:"name"`
	Data     string `json:"data"`
	TTL      int    `json:"ttl"`
	Priority *int   `json:"priority,omitempty"`
}

type domain struct {
	Domain      string `json:"domain"`
	DateCreated string `json:"date_created"`
}

// bearer puts the key on every request, as the oauth2 transport does that govultr's users put in its place.
type bearer struct{ key string }

func (transport bearer) RoundTrip(request *http.Request) (*http.Response, error) {
	request.Header.Set("Authorization", "Bearer "+transport.key)
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	client := govultr.NewClient(&http.Client{Transport: bearer{os.Getenv("VULTR_API_KEY")}})
	if err := client.SetBaseURL(os.Getenv("VULTR_API_URL")); err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked call
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		result, err := answer(client, asked)
		if err != nil {
			out.Encode(map[string]string{"error": err.Error()})
		} else {
			out.Encode(map[string]interface{}{"result": result})
		}
	}
}

func answer(client *govultr.Client, asked call) (interface{}, error) {
	ctx := context.Background()
	switch asked.Call {
	case "listDomains":
		return listDomains(ctx, client)
	case "getDomain":
		return domainOf(client.Domain.Get(ctx, asked.Domain))
	case "createDomain":
		wanted := &govultr.DomainReq{Domain: asked.Domain, IP: asked.IP}
		if asked.Signed {
			wanted.DNSSec = "enabled"
		}
		return domainOf(client.Domain.Create(ctx, wanted))
	case "deleteDomain":
		return nil, client.Domain.Delete(ctx, asked.Domain)
	case "listRecords":
		return listRecords(ctx, client, asked.Domain)
	case "getRecord":
		return recordOf(client.DomainRecord.Get(ctx, asked.Domain, asked.ID))
	case "createRecord":
		return recordOf(client.DomainRecord.Create(ctx, asked.Domain, request(asked.Record)))
	case "updateRecord":
		return nil, client.DomainRecord.Update(ctx, asked.Domain, asked.ID, request(asked.Record))
	case "deleteRecord":
		return nil, client.DomainRecord.Delete(ctx, asked.Domain, asked.ID)
	case "readSoa":
		return client.Domain.GetSoa(ctx, asked.Domain)
	case "updateSoa":
		return nil, client.Domain.UpdateSoa(ctx, asked.Domain, &asked.Soa)
	case "setDnssec":
		return nil, client.Domain.Update(ctx, asked.Domain, asked.State)
	case "listDnssec":
		keys, err := client.Domain.GetDNSSec(ctx, asked.Domain)
		return append([]string{}, keys...), err
	}
	return nil, fmt.Errorf("the bridge knows no call %q", asked.Call)
}

func listDomains(ctx context.Context, client *govultr.Client) ([]string, error) {
	names := []string{}
	options := &govultr.ListOptions{}
	for {
		page, meta, err := client.Domain.List(ctx, options)
		if err != nil {
			return nil, err
		}
		for _, found := range page {
			names = append(names, found.Domain)
		}
		if meta.Links.Next == "" {
			return names, nil
		}
		options.Cursor = meta.Links.Next
	}
}

func listRecords(ctx context.Context, client *govultr.Client, domain string) ([]record, error) {
	records := []record{}
	options := &govultr.ListOptions{}
	for {
		page, meta, err := client.DomainRecord.List(ctx, domain, options)
		if err != nil {
			return nil, err
		}
		for i := range page {
			found, _ := recordOf(&page[i], nil)
			records = append(records, *found)
		}
		if meta.Links.Next == "" {
			return records, nil
		}
		options.Cursor = meta.Links.Next
	}
}

func request(wanted record) *govultr.DomainRecordReq {
	return &govultr.DomainRecordReq{
		Name: wanted.Name, Type: wanted.Type, Data: wanted.Data, TTL: wanted.TTL, Priority: wanted.Priority,
	}
}

func recordOf(found *govultr.DomainRecord, err error) (*record, error) {
	if err != nil {
		return nil, err
	}
	return &record{ID: found.ID, Type: found.Type, Name: found.Name, Data: found.Data, TTL: found.TTL}, nil
}

func domainOf(found *govultr.Domain, err error) (*domain, error) {
	if err != nil {
		return nil, err
	}
	return &domain{found.Domain, found.DateCreated}, nil
}
